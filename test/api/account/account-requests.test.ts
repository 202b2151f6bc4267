/** The request log, usage and overview as the dashboard reads them. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { UsageEvent } from '#usage';
import { LOGGED_TIMEOUT } from '../../support/logged-timeout.ts';
import { type AccountServer, type Browser, openSignedIn, startAccountServer } from '../account-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A Tuesday in the middle of a month and of a day, far enough ahead for the tests to have own days. */
const NOON = Date.UTC(2031, 4, 20, 12, 30);

const query = (parts: Record<string, string | number>): string =>
  `?${new URLSearchParams(Object.entries(parts).map(([name, value]) => [name, String(value)])).toString()}`;
const iso = (ms: number): string => new Date(ms).toISOString();

describe('the dashboard reads', () => {
  let server: AccountServer;
  let ann: Browser;
  let accountId: string;
  let people = 0;
  before(async () => {
    server = await startAccountServer();
  });
  after(() => server.close());
  beforeEach(async () => {
    people += 1;
    server.clock.shiftMs += NOON - server.now();
    ann = await openSignedIn(server, `ann${people}@example.com`, `203.0.113.${people}`);
    accountId = (await ann.get('/account/session')).body.account.id;
  });

  let lines = 0;
  const record = (changes: Partial<UsageEvent> = {}): void => {
    lines += 1;
    server.recorder.record({
      keyId: 'key_1',
      accountId,
      operation: 'validateEmail',
      status: 200,
      ms: 5,
      requestId: `process-${String(lines).padStart(6, '0')}`,
      atMs: NOON,
      ...changes,
    });
  };
  const fail = (error: string, status: number, changes: Partial<UsageEvent> = {}): void =>
    record({ error, status, ...changes });
  const flush = (): Promise<void> => server.recorder.flush();
  const listErrors = async (parts: Record<string, string | number>): Promise<(string | null)[]> =>
    (await ann.get(`/account/requests${query(parts)}`)).body.requests.map(
      ({ error }: { error: string | null }) => error,
    );

  /** Records a request of each kind. */
  async function recordMany(): Promise<void> {
    record({ atMs: NOON - 3 * HOUR_MS });
    fail('invalid_email', 400, { atMs: NOON - 2 * HOUR_MS, param: 'email' });
    fail('timeout', 408, { operation: 'getMetadata', ms: 10_000, keyId: 'key_2', atMs: NOON - HOUR_MS });
    fail('rate_limit_exceeded', 429, { atMs: NOON - MINUTE_MS });
    fail('overloaded', 503, { operation: 'generatePdf', keyId: 'key_2', ms: 40 });
    await flush();
  }

  it('the log by several classes, statuses, errors, operations, keys, and by duration and range', async () => {
    await recordMany();
    const all = ['overloaded', 'rate_limit_exceeded', 'timeout', 'invalid_email', null];
    assert.deepEqual(await listErrors({}), all);
    const cases: [Record<string, string | number>, (string | null)[]][] = [
      [{ status_class: '4xx,5xx' }, all.slice(0, 4)],
      [{ status_class: '2xx' }, [null]],
      [{ status: '408,503' }, ['overloaded', 'timeout']],
      [{ status_class: '5xx', status: '400' }, ['overloaded', 'invalid_email']],
      [{ error: 'timeout,invalid_email' }, ['timeout', 'invalid_email']],
      [{ operation: 'getMetadata,generatePdf' }, ['overloaded', 'timeout']],
      [{ key_id: 'key_2' }, ['overloaded', 'timeout']],
      [{ key_id: 'key_1,key_2', status_class: '5xx' }, ['overloaded']],
      [{ min_ms: 40 }, ['overloaded', 'timeout']],
      [{ from: iso(NOON - 2 * HOUR_MS), to: iso(NOON - MINUTE_MS) }, ['timeout', 'invalid_email']],
    ];
    for (const [parts, expected] of cases)
      assert.deepEqual(await listErrors(parts), expected, JSON.stringify(parts));
  });

  it('everything known about a request by its id, its beginning or its end; nothing of another account', async () => {
    const requestId = `x7Ab-${people}-00zz1k`;
    fail('timeout', 408, {
      requestId,
      operation: 'getMetadata',
      ms: 10_001.4,
      route: 'GET /v1/meta',
      timeoutMs: 10_000,
      units: 1,
      limitPerMinute: 600,
      limitRemaining: 512,
      phases: { first_byte: 9_900, dns: 12, connect: 88 },
    });
    await flush();
    const { request } = (await ann.get(`/account/requests/${requestId}`)).body;
    assert.deepEqual(
      { ...request, id: '' },
      {
        ...LOGGED_TIMEOUT,
        id: '',
        at: iso(NOON),
        ms: 10_001,
        key_name: '',
        request_id: requestId,
      },
    );
    for (const part of [requestId, '00zz1k', `x7Ab-${people}`])
      assert.deepEqual(await listErrors({ request_id: part }), ['timeout'], part);
    assert.deepEqual(await listErrors({ request_id: requestId, status_class: '2xx' }), ['timeout']);
    for (const part of ['00ZZ1K', 'zz', '%', '_'])
      assert.deepEqual(await listErrors({ request_id: part }), [], part);
    const bob = await openSignedIn(server, `bob${people}@example.com`, `203.0.114.${people}`);
    assert.equal((await bob.get(`/account/requests/${requestId}`)).status, 404);
  });

  it('the counts of a filter by time: from tables of counts, and from lines where they do not suffice', async () => {
    await recordMany();
    const count = async (parts: Record<string, string | number>) =>
      (await ann.get(`/account/requests/histogram${query(parts)}`)).body;
    const all = await count({});
    assert.deepEqual([all.bucket_seconds, all.total, all.counted_since], [3_600, 5, null]);
    assert.deepEqual(all.buckets.at(-1), {
      start: iso(NOON - 30 * MINUTE_MS),
      succeeded: 0,
      client_errors: 1,
      server_errors: 1,
    });
    for (const [parts, total] of [
      [{ status_class: '4xx' }, 3],
      [{ status_class: '4xx,5xx', key_id: 'key_2' }, 2],
      [{ error: 'timeout,overloaded' }, 2],
      [{ error: 'timeout', operation: 'generatePdf' }, 0],
      [{ status: '408,429' }, 2],
      [{ min_ms: 40 }, 2],
      [{ error: 'overloaded', status_class: '4xx' }, 0],
    ] as const)
      assert.equal((await count(parts)).total, total, JSON.stringify(parts));
    const hour = await count({ from: iso(NOON - HOUR_MS), to: iso(NOON + 1) });
    assert.deepEqual([hour.bucket_seconds, hour.total, hour.buckets.length], [60, 3, 3]);
    const morning = await count({ from: iso(NOON - 5 * HOUR_MS), to: iso(NOON + 1), min_ms: 1 });
    assert.deepEqual([morning.bucket_seconds, morning.total], [300, 5]);
  });

  it('the filtered log as CSV, past a page, without formulas', async () => {
    for (let n = 0; n < 600; n += 1)
      record({ status: 408, error: 'timeout', route: 'GET /v1/meta', phases: { dns: n } });
    record();
    await flush();
    const { text, headers } = await ann.get('/account/requests.csv?status_class=4xx');
    const rows = text.trimEnd().split('\r\n');
    assert.equal(rows.length, 601);
    assert.match(rows[0] ?? '', /^at,request_id,operation,method,path,status,error,param,ms,.*,dns_ms,/);
    assert.match(
      rows[1] ?? '',
      /^2031-05-20T12:30:00\.000Z,process-\d+,validateEmail,GET,\/v1\/meta,408,timeout,,5,/,
    );
    assert.match(String(headers['content-disposition']), /filename="requests-2031-05-20\.csv"/);
  });

  it('a filter that is not valid, by the parameter at fault', async () => {
    for (const [parts, param] of [
      [{ status_class: '4xx,6xx' }, 'status_class'],
      [{ status: '4' }, 'status'],
      [{ operation: 'nothing' }, 'operation'],
      [{ error: 'no_such_error' }, 'error'],
      [{ from: iso(NOON), to: iso(NOON) }, 'from'],
      [{ min_ms: 'x' }, 'min_ms'],
      [{ key_id: Array.from({ length: 51 }, (_, n) => n).join(',') }, 'key_id'],
    ] as const)
      for (const path of ['requests', 'requests/histogram', 'requests.csv']) {
        const { status, body } = await ann.get(`/account/${path}${query(parts)}`);
        assert.deepEqual([status, body.param], [400, param], path);
      }
  });

  it('errors by identifier and operation beside those of the range before', async () => {
    for (let n = 0; n < 3; n += 1) fail('timeout', 408, { operation: 'getMetadata' });
    fail('timeout', 408, { operation: 'generatePdf', keyId: 'key_2' });
    record();
    fail('timeout', 408, { operation: 'getMetadata', atMs: NOON - 30 * DAY_MS });
    fail('internal', 500, { atMs: NOON - 30 * DAY_MS });
    await flush();
    const load = async (parts: Record<string, string | number>) =>
      (await ann.get(`/account/usage/errors${query({ to: iso(NOON + 1), ...parts })}`)).body;
    const month = await load({ from: iso(NOON - 29 * DAY_MS) });
    assert.deepEqual([month.requests, month.total, month.previous_total], [5, 4, 2]);
    assert.deepEqual(month.errors, [
      { error: 'timeout', status: 408, operation: 'getMetadata', count: 3, previous: 1 },
      { error: 'timeout', status: 408, operation: 'generatePdf', count: 1, previous: 0 },
      { error: 'internal', status: 500, operation: 'validateEmail', count: 0, previous: 1 },
    ]);
    const old = await load({ from: iso(NOON - 60 * DAY_MS), key_id: 'key_2' });
    assert.deepEqual([old.total, old.previous_total, old.errors[0].previous], [1, null, null]);
  });

  it('response times over time by operation, in hours or days', async () => {
    for (let n = 0; n < 20; n += 1) record({ ms: n === 19 ? 1_000 : 10 });
    record({ ms: 100, atMs: NOON - 2 * HOUR_MS, operation: 'getMetadata' });
    record({ ms: 100, atMs: NOON - 20 * DAY_MS });
    await flush();
    const load = async (days: number) =>
      (
        await ann.get(
          `/account/usage/latency${query({ from: iso(NOON - days * DAY_MS), to: iso(NOON + 1) })}`,
        )
      ).body;
    const day = await load(1);
    assert.equal(day.bucket, 'hour');
    const email = day.operations.find(
      ({ operation }: { operation: string }) => operation === 'validateEmail',
    );
    assert.equal(email.requests, 20);
    assert.ok(email.p50_ms >= 10 && email.p50_ms <= 12 && email.p99_ms >= 1_000, JSON.stringify(email));
    assert.deepEqual(email.points.length, 1);
    assert.equal(day.operations.length, 2);
    const month = await load(30);
    assert.equal(month.bucket, 'day');
    assert.equal(month.operations.length, 2);
    const points = month.operations.flatMap(({ points: own }: { points: { start: string }[] }) => own);
    assert.equal(points.length, 3);
    assert.ok(points.some(({ start }: { start: string }) => start === '2031-04-30T00:00:00.000Z'));
  });

  it('the totals of each month, with the units of batches', async () => {
    record({ units: 50, atMs: Date.UTC(2031, 3, 30, 23, 59, 59) });
    fail('rate_limit_exceeded', 429, { units: 0 });
    record({ operation: 'generatePdf' });
    await flush();
    const { months } = (await ann.get('/account/usage/months')).body;
    assert.deepEqual(
      months.map(({ start, end, requests, errors, units }: Record<string, unknown>) => [
        start,
        end,
        requests,
        errors,
        units,
      ]),
      [
        ['2031-05-01T00:00:00.000Z', '2031-06-01T00:00:00.000Z', 2, 1, 1],
        ['2031-04-01T00:00:00.000Z', '2031-05-01T00:00:00.000Z', 1, 0, 50],
      ],
    );
    assert.deepEqual(months[0].operations, [
      { operation: 'generatePdf', requests: 1, errors: 0, units: 1 },
      { operation: 'validateEmail', requests: 1, errors: 1, units: 0 },
    ]);
  });

  it('usage by status, of several keys and operations, in the bucket that suits the range', async () => {
    await recordMany();
    const load = async (parts: Record<string, string | number>) =>
      (await ann.get(`/account/usage${query({ to: iso(NOON + 1), ...parts })}`)).body;
    const week = await load({ from: iso(NOON - 7 * DAY_MS), by: 'status' });
    assert.deepEqual([week.bucket, week.totals], ['hour', { requests: 5, errors: 4 }]);
    assert.ok(week.rows.every((row: object) => !('operation' in row) && !('key_id' in row)));
    const month = await load({ from: iso(NOON - 30 * DAY_MS), by: 'status' });
    assert.equal(month.bucket, 'day');
    assert.deepEqual(
      month.rows.map(({ status_class, count }: Record<string, unknown>) => [status_class, count]).toSorted(),
      [
        ['2xx', 1],
        ['4xx', 3],
        ['5xx', 1],
      ],
    );
    assert.equal((await load({ key_id: 'key_2', operation: 'getMetadata,generatePdf' })).totals.requests, 2);
    assert.equal((await load({ by: 'key', from: iso(NOON - 90 * DAY_MS) })).bucket, 'day');
    const { text } = await ann.get(`/account/usage.csv${query({ by: 'status', to: iso(NOON + 1) })}`);
    assert.match(text, /^start,status_class,count\r\n/);
  });

  it('today beside yesterday until this time, its hours, operations, errors and keys', async () => {
    await recordMany();
    for (let n = 0; n < 4; n += 1) record({ atMs: NOON - DAY_MS - MINUTE_MS });
    fail('timeout', 408, { atMs: NOON - DAY_MS - 5 * HOUR_MS });
    // Later than this time yesterday.
    record({ atMs: NOON - DAY_MS + 2 * MINUTE_MS });
    await flush();
    const { body } = await ann.get('/account/overview');
    const { p50_ms, p95_ms, ...today } = body.today;
    assert.deepEqual(today, { requests: 5, errors: 4, client_errors: 3, server_errors: 1 });
    assert.ok(p50_ms >= 5 && p50_ms <= 6 && p95_ms >= 10_000, `${p50_ms}, ${p95_ms}`);
    assert.deepEqual(body.day_before, { requests: 5, errors: 1, client_errors: 1, server_errors: 0 });
    assert.equal(body.by_hour.length, 24);
    assert.deepEqual(body.by_hour.at(-1), {
      start: iso(NOON - 30 * MINUTE_MS),
      requests: 2,
      errors: 2,
      operations: [
        { operation: 'generatePdf', requests: 1 },
        { operation: 'validateEmail', requests: 1 },
      ],
    });
    const pdf = body.operations.find(({ operation }: { operation: string }) => operation === 'generatePdf');
    assert.deepEqual([pdf.requests, pdf.errors, pdf.by_hour.length, pdf.by_hour.at(-1)], [1, 1, 24, 1]);
    assert.equal(body.errors.length, 4);
    assert.ok(
      body.errors.some(
        ({ error, status, operation }: Record<string, unknown>) =>
          error === 'overloaded' && status === 503 && operation === 'generatePdf',
      ),
    );
    assert.deepEqual(body.minute, {
      limit: 60,
      used_max_key: 0,
      key: null,
      resets_at: body.minute.resets_at,
      resets_in_seconds: body.minute.resets_in_seconds,
    });
    assert.ok(body.minute.resets_in_seconds >= 1 && body.minute.resets_in_seconds <= 60);
  });

  it('the busiest key of this minute, the keys of today, and the usage of each key', async () => {
    const { key: idle } = (await ann.post('/account/keys', { name: 'idle' })).body;
    const { key, secret } = (await ann.post('/account/keys', { name: 'busy' })).body;
    const call = (): Promise<unknown> =>
      ann.get('/v1/email/validate?email=a@b.example', { 'x-api-key': secret });
    await call();
    await call();
    record({ keyId: key.id, atMs: NOON - 6 * DAY_MS });
    record({ keyId: key.id, atMs: NOON - 29 * DAY_MS });
    record({ keyId: key.id, atMs: NOON - 31 * DAY_MS });
    await flush();
    const overview = (await ann.get('/account/overview')).body;
    assert.deepEqual([overview.minute.used_max_key, overview.minute.key], [2, { id: key.id, name: 'busy' }]);
    assert.deepEqual(
      overview.keys.top.map(({ name, requests, status }: Record<string, unknown>) => [
        name,
        requests,
        status,
      ]),
      [
        ['busy', 2, 'active'],
        ['idle', 0, 'active'],
      ],
    );
    assert.equal(overview.keys.active, 2);
    const { keys } = (await ann.get('/account/keys')).body;
    const usageOf = (id: string) => keys.find((one: { id: string }) => one.id === id).usage;
    assert.deepEqual(usageOf(idle.id), { today: 0, last_7_days: 0, last_30_days: 0, by_day: [] });
    const { by_day: days, ...sums } = usageOf(key.id);
    assert.deepEqual(sums, { today: 2, last_7_days: 3, last_30_days: 4 });
    assert.deepEqual([days.length, days[0], days[23], days[29]], [30, 1, 1, 2]);
  });

  it('the error of a real request, its units and what is left of the limit', async () => {
    const { secret } = (await ann.post('/account/keys', { name: 'real' })).body;
    const { headers } = await ann.get('/v1/meta?url=nothing', { 'x-api-key': secret });
    await flush();
    const { request } = (await ann.get(`/account/requests/${String(headers['x-request-id'])}`)).body;
    assert.deepEqual(
      [request.error, request.param, request.method, request.path, request.units, request.limit_remaining],
      ['invalid_url', 'url', 'GET', '/v1/meta', 1, 59],
    );
  });

  it('how long its data is kept', async () => {
    assert.deepEqual((await ann.get('/account/retention')).body, {
      requests_days: 7,
      usage_minutes_days: 7,
      usage_days: 90,
      usage_months_days: 761,
      audit_days: 90,
    });
  });
});
