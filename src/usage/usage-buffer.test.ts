import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MinuteRows,
  addEvent,
  countRows,
  createBuffer,
  isDrained,
  isEmpty,
  mergeBuffers,
  putBack,
  takePortion,
  toBatch,
  type UsageBuffer,
  type UsageEvent,
} from './usage-buffer.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.UTC(2026, 5, 1, 12);
const MAX_BUFFERED_LINES = 1_000;
const MAX_PORTION_ROWS = 250;

const event = (changes: Partial<UsageEvent> = {}): UsageEvent => ({
  keyId: 'key',
  accountId: 'acc',
  operation: 'validateEmail',
  status: 200,
  ms: 5,
  requestId: 'r',
  atMs: START,
  ...changes,
});

/** Returns a buffer of these events. */
function createFilled(events: Partial<UsageEvent>[]): UsageBuffer {
  const buffer = createBuffer();
  for (const changes of events) addEvent(buffer, event(changes));
  return buffer;
}

const repeat = (count: number, create: (n: number) => Partial<UsageEvent>) =>
  Array.from({ length: count }, (_, n) => create(n));

/** The number of requests of each count. */
const listRequests = ({ counts }: { counts: UsageBuffer['counts'] }): number[] =>
  [...counts.values()].flat().map(({ requests }) => requests);

describe('the buffer of usage', () => {
  it('adds up requests by key, operation, class of status and minute', () => {
    const atMs = START + MINUTE_MS;
    const buffer = createFilled([
      {},
      { atMs: START + MINUTE_MS - 1, status: 299 },
      { atMs },
      { operation: 'generatePdf' },
      { keyId: 'other' },
      {},
    ]);
    assert.deepEqual(listRequests(buffer), [3, 1, 1, 1]);
    assert.equal(countRows(buffer), 4);
    assert.deepEqual(buffer.counts.get('key')?.[1], {
      accountId: 'acc',
      keyId: 'key',
      operation: 'validateEmail',
      statusClass: '2xx',
      bucketSize: 'minute',
      bucketStartMs: atMs,
      requests: 1,
      units: 1,
    });
  });

  it('adds up latencies by account, operation, step and hour', () => {
    const buffer = createFilled([
      {},
      { keyId: 'other', atMs: START + HOUR_MS - 1 },
      { atMs: START + HOUR_MS },
      { operation: 'generatePdf' },
      { ms: 5_000 },
      { accountId: 'other' },
    ]);
    const listed = [...buffer.latencies].map(([id, rows]) => [id, rows.map(({ requests }) => requests)]);
    assert.deepEqual(listed, [
      ['acc', [2, 1, 1, 1]],
      ['other', [1]],
    ]);
  });

  it('has classes of status, one of them for the rate limit', () => {
    const statuses = [200, 299, 300, 399, 400, 428, 429, 430, 499, 500, 599];
    const buffer = createFilled(repeat(statuses.length, (n) => ({ status: statuses[n]!, keyId: `${n}` })));
    assert.deepEqual(
      [...buffer.counts.values()].flat().map(({ statusClass }) => statusClass),
      ['2xx', '2xx', '3xx', '3xx', '4xx', '4xx', '429', '4xx', '4xx', '5xx', '5xx'],
    );
  });

  it('keeps 1,000 lines for the log, and counts further requests', () => {
    const buffer = createFilled(repeat(MAX_BUFFERED_LINES + 5, (n) => ({ requestId: `${n}` })));
    assert.equal(buffer.events.length, MAX_BUFFERED_LINES);
    assert.equal(buffer.events.at(-1)?.requestId, `${MAX_BUFFERED_LINES - 1}`);
    assert.deepEqual(listRequests(buffer), [MAX_BUFFERED_LINES + 5]);
  });

  it('is taken in portions of 250 rows of each kind, the oldest first', () => {
    for (const create of [
      (n: number) => ({ keyId: `${n}`, accountId: `${n}`, error: 'timeout' }),
      (n: number) => ({ operation: `${n}`, error: 'timeout' }),
    ]) {
      const buffer = createFilled(repeat(MAX_PORTION_ROWS + 1, create));
      const portion = takePortion(buffer);
      const sizes = [portion.counts, portion.latencies, portion.errors, portion.events].map(
        ({ length }) => length,
      );
      assert.deepEqual(sizes, [MAX_PORTION_ROWS, MAX_PORTION_ROWS, MAX_PORTION_ROWS, MAX_PORTION_ROWS]);
      assert.ok(!isDrained(buffer) && !isEmpty(portion));
      const rest = takePortion(buffer);
      const { counts, latencies, errors, events } = rest;
      assert.deepEqual(
        [counts, latencies, errors, events].map(({ length }) => length),
        [1, 1, 1, 1],
      );
      assert.ok(isDrained(buffer) && isEmpty(takePortion(buffer)));
    }
  });

  it('is not empty with as many rows of one kind as of another', () => {
    const { counts, latencies, errors, events } = takePortion(
      createFilled([{ status: 408, error: 'timeout' }]),
    );
    for (const portion of [
      { counts, latencies, errors, events: [] },
      { counts, latencies, errors: [], events },
      { counts, latencies: [], errors, events },
      { counts: [], latencies, errors, events },
    ]) {
      const buffer = createBuffer();
      putBack(buffer, portion);
      assert.deepEqual([isEmpty(portion), isDrained(buffer)], [false, false]);
    }
  });

  it('gets back a portion that could not be stored: it adds up with what was recorded meanwhile', () => {
    const buffer = createFilled([{ requestId: 'first', error: 'timeout' }, { keyId: 'gone' }]);
    const portion = takePortion(buffer);
    addEvent(buffer, event({ requestId: 'second', error: 'timeout', units: 50 }));
    putBack(buffer, portion);
    assert.deepEqual(Object.fromEntries([...buffer.counts].map(([id, [row]]) => [id, row?.requests])), {
      key: 2,
      gone: 1,
    });
    assert.equal(buffer.counts.get('key')?.[0]?.units, 51);
    assert.deepEqual(
      buffer.errors.get('key')?.map(({ requests }) => requests),
      [2],
    );
    assert.deepEqual(
      buffer.latencies.get('acc')?.map(({ requests }) => requests),
      [3],
    );
    assert.deepEqual(
      buffer.events.map(({ requestId }) => requestId),
      ['first', 'r', 'second'],
    );
  });

  it('is merged with a later one: all counts, and the last 1,000 lines', async () => {
    const earlier = createFilled(repeat(600, (n) => ({ requestId: `a${n}` })));
    const later = createFilled(repeat(600, (n) => ({ requestId: `b${n}`, keyId: `${n % 300}` })));
    await mergeBuffers(earlier, later);
    assert.equal(countRows(earlier), 301);
    assert.equal(
      listRequests(earlier).reduce((sum, requests) => sum + requests, 0),
      1_200,
    );
    assert.equal(earlier.events.length, MAX_BUFFERED_LINES);
    assert.deepEqual([earlier.events[0]?.requestId, earlier.events.at(-1)?.requestId], ['a200', 'b599']);
  });
});

describe('the rows by minute of one account', () => {
  const key = (n: number) => ({
    keyId: `key ${n % 50}`,
    operation: n < 50 ? 'validateEmail' : 'getMetadata',
  });
  const store = (rows: MinuteRows, events: Partial<UsageEvent>[]) => {
    const { counts } = toBatch(takePortion(createFilled(events)), rows);
    const sum = (size: string, accountId: string) => {
      const own = [...counts].filter((count) => count.bucketSize === size && count.accountId === accountId);
      return [own.length, own.reduce((total, { requests }) => total + requests, 0)];
    };
    return { minutes: sum('minute', 'acc'), hours: sum('hour', 'acc'), others: sum('minute', 'other') };
  };

  it('are at most 100 in a minute; its hours count all requests, and other accounts have theirs', () => {
    const rows = new MinuteRows();
    const crowd = [...repeat(100, key), { keyId: 'one more' }];
    const first = store(rows, [...crowd, { accountId: 'other', keyId: 'of another' }]);
    assert.deepEqual(first, { minutes: [100, 100], hours: [101, 101], others: [1, 1] });
    // The next flushes of the minute add to the stored rows only.
    const next = store(rows, [...crowd, { keyId: 'a new one' }]);
    assert.deepEqual(next, { minutes: [100, 100], hours: [102, 102], others: [0, 0] });
    const later = store(rows, [{ keyId: 'one more', atMs: START + MINUTE_MS }]);
    assert.deepEqual(later.minutes, [1, 1], 'the next minute has its own');
  });
});
