import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type History, HISTORIES } from '../scripts/domain-lists/histories.ts';
import { type Source, SOURCES } from '../scripts/domain-lists/sources.ts';

const DATA = 'src/email/data/';
const notice = readFileSync(new URL('../NOTICE', import.meta.url), 'utf8');

/** The repository or the package of a source, without owner and version. */
function getWork(from: Source['from'] | History): string {
  if ('repository' in from) return from.repository.split('/')[4] ?? '';
  return /(?:^|\/)([\w-]+)@/.exec(from.npm)?.[1]?.replace(/-node$/, '') ?? '';
}

/** Lists the packages that the header of a data file names with their license: `top-sites@1.1.222 (MIT)`. */
function listNamedPackages(header: string): string[] {
  const named = header.matchAll(/([a-z][a-z-]+)(?:@[\d.]+ \(|, (?:MIT|ISC|Apache))/g);
  return [...named].map(([, name = '']) => name);
}

describe('NOTICE', () => {
  it('names the work of each pinned source with its license', () => {
    const sources = Object.values<Source>(SOURCES).map(({ from }) => from);
    for (const source of [...sources, ...Object.values<History>(HISTORIES)]) {
      const work = getWork(source);
      assert.ok(work.length > 3, JSON.stringify(source));
      assert.match(notice, new RegExp(`^(?:.*[/ ])?${work}\\b`, 'm'), work);
    }
  });

  it('names each list with names of others, and each package in its header', () => {
    let packages = 0;
    for (const file of readdirSync(new URL(`../${DATA}`, import.meta.url))) {
      const [header] = readFileSync(new URL(`../${DATA}${file}`, import.meta.url), 'utf8').split(/\n(?!#)/);
      if (header === undefined || header.startsWith('# Our own list. Generated')) continue;
      assert.ok(notice.includes(`${DATA}${file}`), file);
      for (const name of listNamedPackages(header)) {
        packages++;
        assert.match(notice, new RegExp(`\\b${name}\\b`), `${name} in ${file}`);
      }
    }
    assert.ok(packages >= 3, `${packages} packages in the headers`);
  });

  it('has the text of each license that asks for it', () => {
    const texts: Record<string, RegExp> = {
      MIT: /^Permission is hereby granted, free of charge/m,
      'BSD-3-Clause': /^3\. Neither the name of the copyright holder/m,
      'Apache-2.0': /^\s+TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION/m,
      'MPL-2.0': /https:\/\/mozilla\.org\/MPL\/2\.0\//,
      'CC0-1.0': /CC0 1\.0/,
      ISC: /nothing of their own\s+is copied/,
    };
    for (const { license } of [...Object.values<Source>(SOURCES), ...Object.values<History>(HISTORIES)]) {
      assert.ok(texts[license] !== undefined, license);
      assert.match(notice, texts[license], license);
    }
  });
});
