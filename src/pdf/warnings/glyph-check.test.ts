import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from '#browser';
import { KnownGlyphs, warnOfMissingGlyphs } from './glyph-check.ts';
import { Warnings } from './warnings.ts';

void it('calls the page for its unusual text, and again only for characters that are not known yet', async () => {
  const glyphs = new KnownGlyphs();
  const check = async (html: string, isScripted = false): Promise<number> => {
    let calls = 0;
    const evaluate = (expression: string): Promise<number[]> => {
      calls += 1;
      const isText = expression.includes('textContent');
      return Promise.resolve(isText ? Array.from(html.slice(3), (one) => one.codePointAt(0) ?? 0) : []);
    };
    const document = { html, glyphs, isScripted, hasScreenLayout: false };
    await warnOfMissingGlyphs({ evaluate } as unknown as Page, new Warnings(), document);
    return calls;
  };
  assert.equal(await check('<p>Ünïcode – “€” &amp; m&auml;re'), 0);
  assert.equal(await check('<p>\u{1f600}日本語한국어'), 2);
  assert.equal(await check('<p>\u{1f600}日本漢字한글'), 1, 'known, by their blocks');
  assert.equal(await check('<p>&starf;'), 2, 'a reference');
  assert.equal(await check('<p>\u{1f601}'), 2);
  assert.equal(await check('<p>\u{1f601}', true), 1, 'the text');
});
