import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MetadataReader } from '../page/metadata-reader.ts';
import { KeptPage } from './call-renderer.ts';

/** Reads a page in two chunks; returns its body and the bytes that the reader has. */
function read(charset: string, bytes: Buffer, details: boolean) {
  const reader = new MetadataReader({ details });
  const kept = new KeptPage(reader, 'true');
  const headers = new Map([['content-type', `text/html; charset=${charset}`]]);
  kept.start({ finalUrl: 'http://a.example/', status: 200, headers, redirects: [] });
  for (const chunk of [bytes.subarray(0, 9_000), bytes.subarray(9_000)]) kept.write(chunk);
  reader.finish();
  return { body: kept.joinBytes(), own: reader.page?.html?.bytes };
}

it('the body that is kept is not copied, unless the reader has other bytes or fewer', () => {
  const html = `<head><title>T</title><meta property=og:title content=T></head>${'text'.repeat(5_000)}`;
  const utf16 = Buffer.from(html, 'utf16le');
  for (const [charset, bytes, details, isShared] of [
    ['utf-8', Buffer.from(html), true, true],
    ['utf-8', Buffer.from(html), false, false],
    ['utf-16le', utf16, true, false],
  ] as const) {
    const { body, own } = read(charset, bytes, details);
    assert.ok(bytes.equals(body));
    // Small buffers can be parts of one block.
    const isOwn = body.buffer === own?.buffer && body.byteOffset === own.byteOffset;
    assert.equal(isOwn, isShared, charset);
  }
});
