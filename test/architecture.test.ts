/** Enforces the rules of architecture/rules.ts on every file of src/, by their syntax trees. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { findViolations, formatViolation, getModule, type Tree } from './architecture/find-violations.ts';
import { LEGAL, PLANTED } from './architecture/planted-violations.ts';
import { findUnusedGrants } from './architecture/find-unused-grants.ts';
import { ALL, OWNERS, RULES } from './architecture/rules.ts';

const SRC = new URL('../src/', import.meta.url).pathname;
const PACKAGE = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  imports: Record<string, string>;
};

const tree: Tree = {
  files: new Map(
    globSync('**/*.{ts,js,mjs,cjs,mts,cts}', { cwd: SRC })
      .filter((path) => !/\.test\.ts$|\.d\.ts$/.test(path))
      .toSorted()
      .map((path) => [path, readFileSync(SRC + path, 'utf8')]),
  ),
  names: PACKAGE.imports,
};

it('src/ follows the rules of its modules', () => {
  assert.ok(tree.files.size > 100, 'the files of src/ are found');
  const found = findViolations(tree).map(formatViolation);
  assert.ok(found.length === 0, `\n${found.join('\n')}\n`);
});

it('every grant of the rules is used by a file of its module', () => {
  const unused = findUnusedGrants(tree);
  assert.ok(unused.length === 0, `test/architecture/rules.ts:\n${unused.join('\n')}\n`);
});

it('a name with owners is granted only to them', () => {
  for (const [name, owners] of Object.entries(OWNERS)) {
    const granted = Object.entries(RULES).filter(([, { modules, packages = {}, globals = [] }]) => {
      const isModule = modules === ALL || modules.includes(name.slice(1));
      return name.startsWith('#') ? isModule : name in packages || globals.includes(name);
    });
    assert.deepEqual(
      granted.map(([module]) => module).toSorted(),
      [...owners],
      `the owners of ${name}: change OWNERS and ARCHITECTURE.md too`,
    );
  }
  const connecting = Object.entries(RULES).filter(([, { packages }]) => {
    const net = packages?.['node:net'];
    return net === ALL || (Array.isArray(net) && /connect|Socket/.test(String(net)));
  });
  assert.deepEqual(
    connecting.map(([module]) => module),
    ['egress'],
    'modules that may connect by node:net',
  );
});

it('no file or folder is called utils, helpers, common, manager or service', () => {
  const vague = [...tree.files.keys()].filter((path) =>
    /(^|[/-])(utils?|helpers?|common|manager|service)\b/.test(path),
  );
  assert.deepEqual(vague, []);
});

it('only concurrency/ listens to AbortSignals', () => {
  const listening = [...tree.files].filter(([, text]) =>
    /\b(?:add|remove)EventListener\(\s*['"`]abort|\.onabort\b/.test(text),
  );
  assert.deepEqual(
    listening.map(([path]) => path),
    ['concurrency/deadline.ts'],
    'call onAbort, untilAborted, joinSignals or openDeadline of #concurrency',
  );
});

it('each import name of package.json belongs to a module with a row', () => {
  for (const [name, file] of Object.entries(PACKAGE.imports)) {
    const path = file.replace('./src/', '');
    assert.ok(RULES[getModule(path)], `${name} is ${file}: add a row to test/architecture/rules.ts`);
    assert.equal(getModule(path), name.slice(1).split('/', 1)[0], `${name} names its own module`);
  }
});

describe('a planted violation is reported with its file, line and rule:', () => {
  const modules = Object.values(PACKAGE.imports).map((file) => [file.replace('./src/', ''), 'export {};']);
  for (const { files, at, rule } of PLANTED) {
    it(`${rule}: ${Object.values(files)[0]?.trim()}`, () => {
      const planted = new Map([...(modules as [string, string][]), ...Object.entries(files)]);
      const found = findViolations({ files: planted, names: PACKAGE.imports }).map(formatViolation);
      assert.ok(
        found.some((message) => message.startsWith(`src/${at} [${rule}] `)),
        found.join('\n'),
      );
    });
  }
});

it('code that only looks like a violation is not reported', () => {
  const modules = Object.values(PACKAGE.imports).map((file): [string, string] => [
    file.replace('./src/', ''),
    'export {};',
  ]);
  const files = new Map([...modules, ['app/operations.ts', ''] as const, ...Object.entries(LEGAL)]);
  assert.deepEqual(findViolations({ files, names: PACKAGE.imports }).map(formatViolation), []);
});
