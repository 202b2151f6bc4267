/** The time zone of a document: of its scripts, its header and its templates, and of no other document. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parsePdfRequest } from '#pdf/request';
import type { PdfEngine } from '#pdf';
import { generate } from './support/open-engine.ts';
import { readPdf } from './support/read-pdf.ts';
import { shareEngine } from './support/shared-engine.ts';

const now = '2026-07-01T20:00:00Z';
const SCRIPT =
  '<p id=o><script>const date = new Date(); o.append(date.getHours(), " ", Intl.DateTimeFormat().resolvedOptions().timeZone)</script>';

let engine: PdfEngine;
before(async () => {
  engine = await shareEngine();
});

async function print(members: object): Promise<string> {
  const { pdf } = await generate(engine, { html: SCRIPT, now, ...members });
  const { pages } = await readPdf(pdf);
  return pages
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('the time zone of a document', () => {
  it('is that of its scripts and of no other document, at the same time or later', async () => {
    assert.equal(await print({ timezone: 'Asia/Tokyo' }), '5 Asia/Tokyo');
    assert.equal(await print({}), '20 UTC');
    const zones = ['Asia/Tokyo', 'America/New_York'];
    const all = await Promise.all([...zones.map((timezone) => print({ timezone })), print({})]);
    assert.deepEqual(all, ['5 Asia/Tokyo', '16 America/New_York', '20 UTC']);
  });

  it('is that of {{date}}, of which now has the day as it is written without one', async () => {
    const members = { html: '<p>a', header_html: '{{date}}' };
    assert.match(await print({ ...members, timezone: 'asia/tokyo' }), /2026-07-02/);
    assert.match(await print({ ...members, now: '2026-07-02T01:00:00+05:00' }), /2026-07-02/);
    assert.match(
      await print({ ...members, now: '2026-07-02T01:00:00+05:00', timezone: 'America/New_York' }),
      /2026-07-01/,
    );
  });

  it('is that of times in templates, also of a document that runs no scripts', async () => {
    const template = { template: 'liquid', data: {}, javascript: false };
    const html = '<p>{{ "now" | date: "%F %H" }} {{ "2026-07-01" | date }}';
    assert.equal(await print({ ...template, html, timezone: 'Asia/Tokyo' }), '2026-07-02 05 2026-07-01');
    assert.equal(await print({ ...template, html }), '2026-07-01 20 2026-07-01');
  });

  it('has a name: what has none is refused with an example', () => {
    for (const timezone of ['Mars/Base', '+02:00', '', 2])
      assert.throws(() => parsePdfRequest({ html: '<p>', timezone }), {
        code: 'invalid_parameter',
        param: 'timezone',
        message: /^timezone must be the name of a time zone .*"Europe\/Berlin": it is /,
      });
    assert.throws(
      () => parsePdfRequest({ html: '<p>', timezone: 'a'.repeat(101) }),
      /^ApiError: timezone must have at most 100 characters: it is a string of 101 characters\.$/,
    );
    assert.equal(parsePdfRequest({ html: '<p>', timezone: 'europe/berlin' }).timezone, 'Europe/Berlin');
  });
});
