import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Coding, createDecoder, parseContentEncoding } from './content-decoding.ts';

const TEXT = Buffer.from(
  Array.from({ length: 3000 }, (_, index) => `<p>line ${index * 7919}</p>`).join('\n'),
);
const PACK: Record<Coding, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
};
const CODINGS = Object.keys(PACK) as Coding[];

/** Writes pieces of `size` bytes to a decoder, and waits for `onDrain` when it must. */
function decode(coding: Coding, bytes: Buffer, size = 1000): Promise<{ end: string; text: Buffer }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (end: string) => resolve({ end, text: Buffer.concat(chunks) });
    let at = 0;
    const feed = () => {
      while (at < bytes.length) {
        const piece = bytes.subarray(at, at + size);
        at += size;
        if (!decoder.write(piece) && at < bytes.length) return;
      }
      decoder.end();
    };
    const decoder = createDecoder(coding, {
      onDecoded: (chunk) => void chunks.push(chunk),
      onDecodedEnd: () => finish('end'),
      onTruncated: () => finish('truncated'),
      onCorrupt: () => finish('corrupt'),
      onDrain: feed,
    });
    feed();
  });
}

describe('decoding a content coding', () => {
  // Node 24 ends the stream after such a frame; servers hardly send it.
  const skip = process.version.startsWith('v24.') && 'needs Node 26';
  it('zstd: a frame after one that decoders skip is decoded', { skip }, async () => {
    for (let kind = 0x50; kind <= 0x5f; kind += 5) {
      const skipped = Buffer.from([kind, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
      const { end, text } = await decode('zstd', Buffer.concat([skipped, zstdCompressSync(TEXT)]), 4);
      assert.equal(end, 'end');
      assert.ok(text.equals(TEXT));
    }
  });

  for (const coding of CODINGS) {
    it(`${coding}: in pieces of any size`, async () => {
      const packed = PACK[coding](TEXT);
      for (const size of [7, 1000, packed.length]) {
        const { end, text } = await decode(coding, packed, size);
        assert.equal(end, 'end');
        assert.ok(text.equals(TEXT));
      }
    });

    it(`${coding}: a truncated body is reported, and what can be decoded is passed on`, async () => {
      const packed = PACK[coding](TEXT);
      for (const kept of [0.5, 0.9, 0.999]) {
        const { end, text } = await decode(coding, packed.subarray(0, Math.floor(packed.length * kept)));
        assert.equal(end, 'truncated');
        assert.ok(text.equals(TEXT.subarray(0, text.length)));
        if (coding !== 'zstd')
          assert.ok(text.length > TEXT.length * (kept - 0.4), `${text.length} of ${TEXT.length}`);
      }
    });

    it(`${coding}: plain text under this header is passed on`, async () => {
      for (const plain of ['<html>', '\ufeff<!doctype html>', '\n\n <p>', '<']) {
        const { end, text } = await decode(coding, Buffer.from(plain));
        assert.deepEqual([end, text.toString()], ['end', plain]);
      }
      assert.deepEqual((await decode(coding, Buffer.alloc(0))).end, 'end');
    });

    it(`${coding}: truncated within its first bytes is truncated, not plain`, async () => {
      for (let kept = coding === 'deflate' ? 2 : 1; kept < 5; kept += 1) {
        const { end, text } = await decode(coding, PACK[coding](TEXT).subarray(0, kept));
        assert.deepEqual([end, text.length], ['truncated', 0], `${kept} bytes`);
      }
    });

    it(`${coding}: noise is corrupt or truncated, and never passed on`, async () => {
      const packed = PACK[coding](TEXT);
      for (let seed = 1; seed <= 20; seed += 1) {
        const noisy = Buffer.from(packed);
        for (let at = 20; at < noisy.length; at += 97 * seed) noisy[at] = (noisy[at] ?? 0) ^ (seed * 37);
        const { end } = await decode(coding, noisy);
        assert.notEqual(end, coding === 'br' ? '' : 'end');
      }
    });
  }

  it('accepts deflate with and without its zlib header', async () => {
    assert.ok((await decode('deflate', deflateRawSync(TEXT))).text.equals(TEXT));
  });

  it('ignores what follows a gzip member, as browsers do, and decodes further members', async () => {
    for (const size of [7, 1e6]) {
      const followed = Buffer.concat([gzipSync(TEXT), Buffer.from('\n<!-- cached -->')]);
      const { end, text } = await decode('gzip', followed, size);
      assert.deepEqual([end, text.equals(TEXT)], ['end', true]);
      const members = Buffer.concat([gzipSync(TEXT.subarray(0, 99)), gzipSync(TEXT.subarray(99))]);
      assert.ok((await decode('gzip', members, size)).text.equals(TEXT));
    }
    // FEXTRA, FNAME and FCOMMENT in the header (RFC 1952).
    const [, , , , ...rest] = gzipSync(TEXT);
    const fields = Buffer.from([3, 0, 1, 2, 3, 0x61, 0, 0x62, 0]);
    const dressed = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 28]),
      Buffer.from(rest.slice(0, 6)),
      fields,
      Buffer.from(rest.slice(6)),
    ]);
    const { end, text } = await decode('gzip', Buffer.concat([dressed, Buffer.from('tail')]), 1e6);
    assert.deepEqual([end, text.equals(TEXT)], ['end', true]);
  });
});

describe('parseContentEncoding', () => {
  it('accepts the codings in any case, and what hosts send for none', () => {
    assert.equal(parseContentEncoding(' GZip '), 'gzip');
    assert.equal(parseContentEncoding('x-gzip'), 'gzip');
    assert.equal(parseContentEncoding('identity, br'), 'br');
    for (const none of ['', 'identity', 'none', 'UTF-8'])
      assert.equal(parseContentEncoding(none), 'identity');
  });

  it('returns null for chains and unknown codings', () => {
    for (const odd of [
      'gzip, gzip',
      'br,gzip',
      'compress',
      'x-unknown',
      'gzip;q=1',
      Array(900).fill('gzip').join(','),
    ]) {
      assert.equal(parseContentEncoding(odd), null, odd);
    }
  });
});
