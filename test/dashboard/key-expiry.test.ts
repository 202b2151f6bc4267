/** The choices of when a key expires, in the time zone of the browser. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { computeExpiry, formatTomorrow } from '../../dashboard/src/pages/keys/key-expiry.ts';

const NOW = Date.parse('2026-11-30T22:30:00Z');

describe('the expiry of a key', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('is never, or days from now', () => {
    assert.equal(computeExpiry({ choice: 'never', date: '' }, NOW), null);
    assert.equal(computeExpiry({ choice: '30', date: '' }, NOW), '2026-12-30T22:30:00.000Z');
  });

  it('is the last second of a date in the time zone of the browser', () => {
    process.env.TZ = 'America/Los_Angeles';
    assert.equal(computeExpiry({ choice: 'date', date: '2026-12-01' }, NOW), '2026-12-02T07:59:59.000Z');
  });

  it('is undefined if the date is missing or invalid, and not never', () => {
    for (const date of ['', '12345-01-01', '2026-02-99'])
      assert.equal(computeExpiry({ choice: 'date', date }, NOW), undefined, date);
  });

  it('can be chosen from tomorrow on, in the time zone of the browser', () => {
    for (const [name, tomorrow] of [
      ['America/Los_Angeles', '2026-12-01'],
      ['UTC', '2026-12-01'],
      ['Asia/Tokyo', '2026-12-02'],
    ] as const) {
      process.env.TZ = name;
      assert.equal(formatTomorrow(NOW), tomorrow, name);
    }
    process.env.TZ = 'America/Los_Angeles';
    assert.equal(formatTomorrow(Date.parse('2026-12-01T02:00:00Z')), '2026-12-01');
  });
});
