/** The attachments that the client makes of bytes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AttachmentContent, encodeAttachment } from '../src/index.ts';

void describe('encodeAttachment', () => {
  const bytes = Uint8Array.from({ length: 70_001 }, (_, n) => (n * 7) % 256);

  it('encodes bytes, a view of bytes, a Blob and a text (UTF-8) as the base64 of the API', async () => {
    const wide = Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('yy')]);
    for (const [content, expected] of [
      [bytes, bytes],
      [wide.subarray(2, -2), bytes],
      [new DataView(wide.buffer, wide.byteOffset + 2, bytes.length), bytes],
      [bytes.buffer, bytes],
      [new Blob([bytes]), bytes],
      [bytes.subarray(0, 49_153), bytes.subarray(0, 49_153)],
      ['Zürich €', Buffer.from('Zürich €')],
      ['', Buffer.alloc(0)],
    ] as [AttachmentContent, Uint8Array][]) {
      const attachment = await encodeAttachment('rows.bin', content);
      assert.deepEqual(Object.keys(attachment), ['name', 'base64']);
      assert.ok(attachment.base64 === Buffer.from(expected).toString('base64'), `${expected.length} bytes`);
    }
  });

  it('has the other members of an attachment, and the media type of a Blob without its parameters', async () => {
    const csv = new Blob(['a;b\n'], { type: 'text/csv; charset=utf-8' });
    const given = { relationship: 'data', description: 'The rows' } as const;
    assert.deepEqual(await encodeAttachment('rows.csv', csv, given), {
      name: 'rows.csv',
      base64: 'YTtiCg==',
      media_type: 'text/csv',
      ...given,
    });
    const { media_type: type } = await encodeAttachment('rows.csv', csv, { media_type: 'text/plain' });
    assert.equal(type, 'text/plain');
  });

  it('refuses content of another type, such as a path that was meant to be read', async () => {
    const others: unknown[] = [undefined, null, 5, {}, [1, 2], new URL('file:///rows.csv')];
    for (const content of others)
      await assert.rejects(encodeAttachment('rows.csv', content as string), TypeError);
  });
});
