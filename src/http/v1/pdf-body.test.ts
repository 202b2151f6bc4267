import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { JsonScan } from '../wire/json/scan-json.ts';
import { MAX_PDF_BODY_BYTES, MAX_PLAIN_PDF_BODY_BYTES, PDF_BODY } from './pdf-body.ts';

const MIB = 1024 * 1024;
const CHUNK = Buffer.alloc(MIB, 'x');

interface Arrival {
  bytes: number;
  error: ApiError | null;
}

/** Lets members with texts of these lengths arrive; returns what was accepted, and the refusal. */
function arrive(...members: [name: string, bytes: number][]): Arrival {
  const scan = new JsonScan(PDF_BODY.limits);
  const arrival: Arrival = { bytes: 0, error: null };
  const push = (chunk: Buffer): void => {
    scan.push(chunk);
    arrival.bytes += chunk.length;
  };
  try {
    for (const [index, [name, bytes]] of members.entries()) {
      push(Buffer.from(`${index === 0 ? '{' : ','}"${name}":"`));
      for (let left = bytes; left > 0; left -= MIB) push(CHUNK.subarray(0, left));
      push(Buffer.from('"'));
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    arrival.error = error;
  }
  return arrival;
}

void describe('the body of a PDF request', () => {
  const attached = 4 * Math.ceil((20 * MIB) / 3);
  const plain: [string, number][] = [
    ['html', 30 * MIB],
    ...['css', 'header_html', 'footer_html', 'first_header_html', 'first_footer_html', 'watermark_html'].map(
      (name): [string, number] => [name, 3 * MIB],
    ),
  ];
  const large: [string, number][] = [
    ['attachments', attached],
    ['data', 6 * MIB],
    ['facturx', 30 * MIB],
  ];

  void it('may have every text escaped, and the attachments in base64, and not much more', () => {
    const { bytes, error } = arrive(...plain, ...large);
    assert.equal(error, null);
    assert.ok(bytes < MAX_PDF_BODY_BYTES && MAX_PDF_BODY_BYTES - bytes < MIB, String(bytes));
  });

  void it('413: without attachments it has the cap of its texts, which is enforced as it arrives', () => {
    for (const name of ['html', 'more_documents', 'css', 'unknown']) {
      const { bytes, error } = arrive([name, 100 * MIB]);
      assert.deepEqual([error?.code, error?.param], ['payload_too_large', undefined], name);
      assert.ok(bytes < MAX_PLAIN_PDF_BODY_BYTES + MIB, String(bytes));
    }
    assert.equal(arrive(...large, ...plain, ['title', MIB]).error?.code, 'payload_too_large');
  });

  void it('413: attachments, data and facturx have budgets of their own, also when they are repeated', () => {
    for (const [name, bytes] of large) {
      assert.equal(arrive([name, bytes + MIB]).error?.param, name);
      assert.equal(arrive([name, bytes / 2 + MIB], ['html', 1], [name, bytes / 2]).error?.param, name);
    }
  });
});
