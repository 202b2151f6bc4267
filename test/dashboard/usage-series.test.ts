/** What the usage chart is made of. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Usage } from '../../dashboard/src/api/types.ts';
import { auditSentence, detailText } from '../../dashboard/src/pages/audit/audit-sentence.ts';
import { deviceName } from '../../dashboard/src/components/device-name.ts';
import { USAGE_RANGES, usageFilter, usageRange } from '../../dashboard/src/pages/usage/usage-ranges.ts';
import { barsOf, seriesOf } from '../../dashboard/src/pages/usage/usage-series.ts';

const NOW = Date.parse('2026-11-21T10:34:56.789Z');

describe('a range', () => {
  it('ends with the bucket that is under way, and has as many buckets as it says', () => {
    assert.deepEqual(usageFilter(usageRange('24h'), undefined, NOW), {
      from: '2026-11-20T11:00:00.000Z',
      to: '2026-11-21T11:00:00.000Z',
      bucket: 'hour',
    });
    assert.deepEqual(usageFilter(usageRange('30d'), 'key1', NOW), {
      from: '2026-10-23T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      bucket: 'day',
      key_id: 'key1',
    });
  });

  it('of an unknown name is the last day', () => {
    for (const name of [undefined, '', '1y', '__proto__', 'constructor']) {
      assert.equal(usageRange(name).value, '24h');
    }
  });
});

describe('the bars', () => {
  for (const range of USAGE_RANGES) {
    it(`of "${range.label}" are ${range.buckets}, those without requests too`, () => {
      const { from, to, bucket } = usageFilter(range, undefined, NOW);
      const usage: Usage = { bucket, from, to, rows: [], totals: { requests: 0, errors: 0 } };
      const bars = barsOf(usage, 'operation');
      assert.equal(bars.length, range.buckets);
      assert.ok(bars.every((bar) => bar['validateEmail'] === 0 && bar['generatePdf'] === 0));
    });
  }

  it('sum what falls into the same series, and lose nothing', () => {
    const start = '2026-11-21T10:00:00.000Z';
    const usage: Usage = {
      ...usageFilter(usageRange('24h'), undefined, NOW),
      rows: [
        { start, operation: 'validateEmail', status_class: '2xx', count: 3 },
        { start, operation: 'validateEmail', status_class: '4xx', count: 2 },
        { start, operation: 'getMetadata', status_class: '4xx', count: 5 },
      ],
      totals: { requests: 10, errors: 7 },
    };
    const byOperation = barsOf(usage, 'operation').at(-1);
    assert.deepEqual(
      [byOperation?.['validateEmail'], byOperation?.['getMetadata'], byOperation?.['generatePdf']],
      [5, 5, 0],
    );
    const byStatus = barsOf(usage, 'status').at(-1);
    assert.deepEqual(
      seriesOf('status').map(({ name }) => byStatus?.[name]),
      [3, 7, 0],
    );
  });
});

describe('the audit trail in words', () => {
  it('has a sentence for what it knows, and plain words for what it does not', () => {
    assert.equal(auditSentence('key.rotated'), 'Key rotated');
    assert.equal(auditSentence('something.new_here'), 'Something new here');
  });

  it('shows browsers by name, and other details as they are', () => {
    assert.equal(
      detailText('Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/150.0'),
      'Firefox on Windows',
    );
    assert.equal(detailText('Laptop'), 'Laptop');
    assert.equal(detailText({ plan: 'pro', from: null }), 'plan: pro');
    assert.equal(detailText(null), '');
  });
});

describe('a device', () => {
  for (const [userAgent, name] of [
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', 'curl'],
    ['', 'Unknown device'],
  ] as const) {
    it(`is ${name}`, () => assert.equal(deviceName(userAgent), name));
  }
});
