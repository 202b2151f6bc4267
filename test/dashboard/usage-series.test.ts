/** The data of the usage chart, the audit trail's sentences, and device names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Key, Usage, UsageRow } from '../../dashboard/src/api/types.ts';
import { describeEvent, formatDetail } from '../../dashboard/src/pages/audit/audit-event.ts';
import { deviceName } from '../../dashboard/src/components/device-name.ts';
import { formatErrorChange } from '../../dashboard/src/pages/usage/error-change.ts';
import {
  computeUsageFilter,
  findUsageRange,
  RECENT_RANGES,
} from '../../dashboard/src/pages/usage/usage-ranges.ts';
import {
  computeBars,
  computeSeries,
  computeSums,
  formatKeyLabel,
} from '../../dashboard/src/pages/usage/usage-series.ts';

const NOW = Date.parse('2026-11-21T10:34:56.789Z');

const ALL = { keyId: undefined, by: 'operation' } as const;
const START = '2026-11-21T10:00:00.000Z';

/** Creates a key of which only the name matters. */
function createKeyNamed(id: string, name: string): Key {
  return {
    id,
    name,
    prefix: 'ua_live_0000',
    last_four: id.slice(-4),
    created_at: START,
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    status: 'active',
    operations: null,
    client_cidrs: null,
    rotated_to: null,
  };
}

describe('a range', () => {
  it('ends with the current bucket and has the stated number of buckets', () => {
    assert.deepEqual(
      computeUsageFilter(findUsageRange({ range: '24h' }), { keyId: undefined, by: 'operation' }, NOW),
      {
        from: '2026-11-20T11:00:00.000Z',
        to: '2026-11-21T11:00:00.000Z',
        bucket: 'hour',
        by: 'operation',
      },
    );
    assert.deepEqual(
      computeUsageFilter(findUsageRange({ range: '30d' }), { keyId: 'key1', by: 'key' }, NOW),
      {
        from: '2026-10-23T00:00:00.000Z',
        to: '2026-11-22T00:00:00.000Z',
        bucket: 'day',
        by: 'key',
        key_id: 'key1',
      },
    );
  });

  it('with an unknown name is the last 30 days', () => {
    for (const name of [undefined, '', '1y', '__proto__', 'constructor']) {
      assert.equal(findUsageRange({ range: name }).value, '30d');
    }
  });

  it('of days includes both, by hour up to eight days', () => {
    const range = findUsageRange({ range: '24h', from: '2026-11-01', to: '2026-11-02' });
    assert.deepEqual(computeUsageFilter(range, ALL, NOW), {
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-03T00:00:00.000Z',
      bucket: 'hour',
      by: 'operation',
    });
    assert.equal(findUsageRange({ from: '2026-11-01', to: '2026-11-08' }).bucket, 'hour');
    assert.equal(findUsageRange({ from: '2026-11-01', to: '2026-11-09' }).bucket, 'day');
  });

  it('of days that do not exist or end before they start is ignored', () => {
    const wrong = [
      ['2026-11-02', '2026-11-01'],
      ['2026-02-30', '2026-11-01'],
      ['2026-11-01', undefined],
      ['1', '2'],
    ];
    for (const [from, to] of wrong) assert.equal(findUsageRange({ range: '7d', from, to }).value, '7d');
  });
});

describe('the bars', () => {
  for (const range of RECENT_RANGES) {
    it(`of ${range.label} are ${range.buckets}, including empty ones`, () => {
      const { from, to, bucket } = computeUsageFilter(range, ALL, NOW);
      const usage: Usage = { bucket, from, to, rows: [], totals: { requests: 0, errors: 0 } };
      const bars = computeBars(usage, 'operation', computeSeries([], 'operation', []));
      assert.equal(bars.length, range.buckets);
      assert.ok(bars.every(({ values }) => values.join() === '0,0,0'));
      assert.equal(new Set(bars.map(({ title }) => title)).size, range.buckets);
    });
  }

  it('add up the rows of the same series', () => {
    const usage: Usage = {
      ...computeUsageFilter(findUsageRange({ range: '24h' }), ALL, NOW),
      rows: [
        { start: START, operation: 'validateEmail', status_class: '2xx', count: 3 },
        { start: START, operation: 'validateEmail', status_class: '4xx', count: 2 },
        { start: START, operation: 'getMetadata', status_class: '4xx', count: 5 },
      ],
      totals: { requests: 10, errors: 7 },
    };
    const byOperation = computeBars(usage, 'operation', computeSeries(usage.rows, 'operation', [])).at(-1);
    assert.deepEqual(byOperation?.values, [5, 5, 0]);
    const byStatus = computeBars(usage, 'status', computeSeries(usage.rows, 'status', []));
    assert.deepEqual(byStatus.at(-1)?.values, [3, 7, 0]);
    assert.deepEqual(computeSums(byStatus), [3, 7, 0]);
  });

  it('have a series for requests without an operation, if there are any', () => {
    const rows: UsageRow[] = [{ start: START, operation: 'none', status_class: '4xx', count: 2 }];
    assert.deepEqual(
      computeSeries(rows, 'operation', []).map(({ name }) => name),
      ['Email', 'Metadata', 'PDF', 'None'],
    );
    assert.equal(computeSeries([], 'operation', []).length, 3);
  });

  it('of keys start with the busiest, and add up all keys after the seventh', () => {
    const rows = Array.from({ length: 12 }, (_, index): UsageRow => ({
      start: START,
      key_id: `key_${index}`,
      status_class: index % 2 === 0 ? '2xx' : '4xx',
      count: index + 1,
    }));
    const usage: Usage = {
      ...computeUsageFilter(findUsageRange({ range: '24h' }), { keyId: undefined, by: 'key' }, NOW),
      rows,
      totals: { requests: 78, errors: 42 },
    };
    const series = computeSeries(rows, 'key', [
      createKeyNamed('key_11', 'Shop'),
      createKeyNamed('key_10', 'Shop'),
    ]);
    assert.deepEqual(
      series.map(({ name }) => name),
      ['Shop (…y_11)', 'Shop (…y_10)', 'key_9', 'key_8', 'key_7', 'key_6', 'key_5', '5 other keys'],
    );
    assert.deepEqual(computeBars(usage, 'key', series).at(-1)?.values, [12, 11, 10, 9, 8, 7, 6, 15]);
    assert.equal(computeSeries(rows.slice(0, 7), 'key', []).at(-1)?.name, 'key_0');
    assert.equal(computeSeries(rows.slice(0, 8), 'key', []).at(-1)?.name, '1 other key');
  });

  it('truncate a long key name between two characters', () => {
    const label = formatKeyLabel([createKeyNamed('key_1', '\u{1f600}'.repeat(60))], 'key_1');
    assert.equal(label, `${'\u{1f600}'.repeat(39)}… (…ey_1)`);
  });
});

describe('an error beside the period before', () => {
  it('shows the change, and whether it is new or unknown', () => {
    assert.deepEqual(
      [formatErrorChange(104, 100), formatErrorChange(1, 2), formatErrorChange(5, 5)],
      ['↑ 4%', '↓ 50%', 'same'],
    );
    assert.deepEqual([formatErrorChange(3, 0), formatErrorChange(3, null)], ['new', '–']);
  });
});

describe('an audit event', () => {
  it('has a sentence, or the words of its name if it is unknown', () => {
    assert.equal(describeEvent('key.rotated'), 'Key rotated');
    assert.equal(describeEvent('account.made_administrator'), 'Account made an administrator');
    assert.equal(describeEvent('something.new_here'), 'Something new here');
  });

  it('shows a User-Agent as a device name, and other details unchanged', () => {
    assert.equal(
      formatDetail('Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/150.0'),
      'Firefox on Windows',
    );
    assert.equal(formatDetail('Laptop'), 'Laptop');
    assert.equal(formatDetail(''), '');
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
