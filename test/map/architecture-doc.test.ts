/** ARCHITECTURE.md names tests for what it promises. It and the places of a change name paths that exist. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { findFiles, loadText } from './checkout.ts';

const TEXT = loadText('ARCHITECTURE.md');
/** The same without blocks of code. */
const PROSE = TEXT.replace(/^```[^]*?^```/gm, '');
const PROMISE = /\b(?:only|never|every)\b/i;

it('each sentence with only, never or every is in the table of promises, beside a test that exists', () => {
  const tests = new Set(findFiles('{src,test,client}/**/*.test.ts').map((path) => path.replace(/^.*\//, '')));
  let promises = 0;
  for (const line of PROSE.split('\n')) {
    if (!PROMISE.test(line)) continue;
    const [, , test] = /^\|(.*)\|\s*`([\w.-]+\.test\.ts)`\s*\|$/.exec(line) ?? [];
    assert.ok(test, `ARCHITECTURE.md promises without a test; name the test or word it as an aim: ${line}`);
    assert.ok(tests.has(test), `ARCHITECTURE.md: there is no test file ${test}`);
    promises += 1;
  }
  assert.ok(promises > 5, 'the table of promises is found');
});

for (const page of ['ARCHITECTURE.md', 'docs/internals/places.md'])
  it(`the files and folders that ${page} names exist`, () => checkPaths(page));

function checkPaths(page: string): void {
  const prose = loadText(page).replace(/^```[^]*?^```/gm, '');
  const named = [...prose.matchAll(/`([a-z][\w./-]*(?:\/|\.(?:ts|tsx|md)))`/g)].map(
    (match) => match[1] ?? '',
  );
  const linked = [...prose.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? '');
  assert.ok(named.length > 20);
  for (const path of [...named, ...linked]) {
    // Tests and index.ts are named without their folder.
    const isBare = !path.includes('/') && findFiles(`{src,test,client}/**/${path}`).length > 0;
    const folder = page.slice(0, page.lastIndexOf('/') + 1);
    const places = ['', 'src/', folder].map(
      (base) => new URL(`../../${base}${path.replace(/#.*/, '')}`, import.meta.url),
    );
    assert.ok(isBare || places.some((place) => existsSync(place)), `${page}: ${path} does not exist`);
  }
}

it('the map has the modules of src/, and no other', () => {
  const map = /^src\/\n([^]*?)^dashboard\//m.exec(TEXT)?.[1] ?? '';
  const listed = [...map.matchAll(/^ {2}([\w-]+)(?:\/|\.ts)\s/gm)].map((match) => match[1] ?? '');
  const folders = findFiles('src/*').map((path) => path.slice('src/'.length));
  const modules = folders
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, ''));
  for (const name of modules) assert.ok(listed.includes(name), `ARCHITECTURE.md: ${name} is not on the map`);
  for (const name of listed)
    assert.ok(modules.includes(name), `ARCHITECTURE.md: ${name} is no module of src/`);
});
