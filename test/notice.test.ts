import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Source, SOURCES } from '../scripts/domain-lists/sources.ts';

const notice = readFileSync(new URL('../NOTICE', import.meta.url), 'utf8');

/** The repository or the package of a source, without owner and version. */
function getWork({ from }: Source): string {
  const path = 'url' in from ? from.url.split('/')[4] : /(?:^|\/)([\w-]+)@/.exec(from.npm)?.[1];
  return path?.replace(/-node$/, '') ?? '';
}

describe('NOTICE', () => {
  it('names the work of each pinned source with its license', () => {
    for (const source of Object.values<Source>(SOURCES)) {
      const work = getWork(source);
      assert.ok(work.length > 3, source.file);
      assert.match(notice, new RegExp(`^(?:.*[/ ])?${work}\\b`, 'm'), work);
    }
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
    for (const { license } of Object.values<Source>(SOURCES)) {
      assert.ok(texts[license] !== undefined, license);
      assert.match(notice, texts[license], license);
    }
  });
});
