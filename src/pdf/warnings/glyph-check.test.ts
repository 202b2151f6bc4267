import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from '#browser';
import { KnownGlyphs, collectUnusualCharacters, warnOfMissingGlyphs } from './glyph-check.ts';
import { Warnings } from './warnings.ts';

void it('calls the page only for characters that are not known yet, and for text that scripts made', async () => {
  let calls = 0;
  const page = { evaluate: () => Promise.resolve((calls += 1) > 0 ? [] : null) } as unknown as Page;
  const glyphs = new KnownGlyphs();
  const check = async (html: string, isScripted = false): Promise<number> => {
    calls = 0;
    const document = { unusual: collectUnusualCharacters(html), glyphs, isScripted, hasScreenLayout: false };
    await warnOfMissingGlyphs(page, new Warnings(), document);
    return calls;
  };
  assert.equal(await check('<p>Ünïcode &amp; more'), 0);
  assert.equal(await check('<p>\u{1f600} 日本語 한국어'), 1);
  assert.equal(await check('<p>\u{1f600} 日本 other 漢字 한글'), 0, 'known, by their blocks');
  assert.equal(await check('<p>\u{1f601}'), 1);
  assert.equal(await check('<p>\u{1f601}', true), 1, 'the text');
});
