import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Source, SOURCES } from '../../scripts/domain-lists/sources.ts';

const ROOT = new URL('../../', import.meta.url);
const DATA = 'src/email/data/';
const notice = readFileSync(new URL('NOTICE', ROOT), 'utf8');

/** Finds the name of the work that a source is from: its repository on GitHub, or its package. */
function getWork({ from }: Source): string {
  if ('npm' in from) return from.npm.slice(from.npm.lastIndexOf('/') + 1).replace(/@[^@]+$/, '');
  const [, owner, repository] = new URL(from.url).pathname.split('/');
  return `github.com/${owner}/${repository}`;
}

/** Lists the packages that the header of a data file names with their license: `top-sites@1.1.222 (MIT)`. */
function listNamedPackages(header: string): string[] {
  return [...header.matchAll(/([a-z][a-z-]+)(?:@[\d.]+ \(|, (?:MIT|ISC|Apache))/g)].map(
    ([, name = '']) => name,
  );
}

describe('NOTICE', () => {
  it('names each source of the lists', () => {
    for (const source of Object.values<Source>(SOURCES)) {
      const work = getWork(source);
      assert.ok(notice.includes(work), work);
    }
  });

  it('names each list with names of others, and each package in its header', () => {
    let packages = 0;
    for (const file of readdirSync(new URL(DATA, ROOT))) {
      const [header] = readFileSync(new URL(`${DATA}${file}`, ROOT), 'utf8').split(/\n(?!#)/);
      if (header === undefined || header.startsWith('# Our own list. Generated')) continue;
      assert.ok(notice.includes(`${DATA}${file}`), file);
      for (const name of listNamedPackages(header)) {
        packages++;
        assert.match(notice, new RegExp(`\\b${name}\\b`), `${name} in ${file}`);
      }
    }
    assert.ok(packages >= 3, `${packages} packages in the headers`);
  });
});
