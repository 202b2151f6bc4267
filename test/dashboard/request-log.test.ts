/** The filters, bars and explanations of the request log, and the order of keys, without a browser. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ERRORS } from '#errors';
import type { LoggedRequest, Key } from '../../dashboard/src/api/types.ts';
import { selectKeys } from '../../dashboard/src/pages/keys/key-state.ts';
import { EXPLANATIONS, explainRequest } from '../../dashboard/src/pages/requests/explain-request.ts';
import { computeBars } from '../../dashboard/src/pages/requests/histogram-bars.ts';
import { isFiltered, toLogQuery } from '../../dashboard/src/pages/requests/request-filter.ts';
import { LOGGED_TIMEOUT } from '../support/logged-timeout.ts';

const NOW = Date.parse('2026-11-21T20:14:52Z');

const REQUEST: LoggedRequest = {
  ...LOGGED_TIMEOUT,
  id: '1',
  at: '2026-11-21T20:14:48.870Z',
  ms: 10_000,
  key_name: 'link-previews',
  request_id: 'abc-1',
};

describe('the explanation of a request', () => {
  it('exists for each error of the API and of the log', () => {
    assert.deepEqual(
      Object.keys(EXPLANATIONS).toSorted(),
      [...Object.keys(ERRORS), 'disconnected'].toSorted(),
    );
    for (const error of Object.keys(EXPLANATIONS)) {
      const { cause, remedy } = explainRequest({ ...REQUEST, error, phases: [] })!;
      assert.match(`${cause} ${remedy}`, /^[A-Z`].*\.$/, error);
    }
    assert.equal(explainRequest({ ...REQUEST, error: null }), null);
  });

  it('says what took too long, and which parameter was wrong', () => {
    assert.match(explainRequest(REQUEST)!.cause, /sent nothing within 10,000 ms/);
    const inDns = { ...REQUEST, phases: REQUEST.phases.slice(0, 1) };
    assert.match(explainRequest(inDns)!.cause, /name of the host/);
    assert.match(explainRequest({ ...REQUEST, operation: 'generatePdf' })!.cause, /document/);
    const wrong = { ...REQUEST, error: 'invalid_parameter', param: 'check_mx' };
    assert.match(explainRequest(wrong)!.cause, /^`check_mx` had/);
  });
});

describe('the filter in the URL', () => {
  it('becomes the query of the API', () => {
    assert.deepEqual(toLogQuery({ status: '4xx,503', range: 'today', id: 'ab', request: 'x' }, NOW), {
      operation: undefined,
      status_class: '4xx',
      status: '503',
      error: undefined,
      key_id: undefined,
      min_ms: undefined,
      from: '2026-11-21T00:00:00.000Z',
      to: undefined,
      request_id: 'ab',
    });
    assert.equal(toLogQuery({ range: '1h' }, NOW).from, '2026-11-21T19:14:52.000Z');
    assert.equal(toLogQuery({}, NOW).from, undefined);
    assert.equal(toLogQuery({ range: '1h', from: '2026-11-20T00:00:00Z' }, NOW).from, '2026-11-20T00:00:00Z');
  });

  it('is none for the whole log, whatever the inspector shows', () => {
    assert.equal(isFiltered({ range: '7d', request: 'x' }), false);
    assert.equal(isFiltered({ range: 'today' }), true);
    assert.equal(isFiltered({ id: 'x' }), true);
  });
});

describe('the bars above the log', () => {
  it('are at most 62 of equal width, also where there is nothing, and lose no request', () => {
    for (const [hours, bucketSeconds] of [
      [1, 60],
      [5, 300],
      [20.24, 3600],
      [24, 3600],
      [168, 3600],
    ] as const) {
      const fromMs = NOW - hours * 3_600_000;
      const start = (ms: number) => new Date(ms - (ms % (bucketSeconds * 1000))).toISOString();
      const bars = computeBars(
        {
          bucket_seconds: bucketSeconds,
          from: start(fromMs),
          to: new Date(NOW).toISOString(),
          total: 9,
          counted_since: null,
          buckets: [
            { start: start(fromMs), succeeded: 1, client_errors: 2, server_errors: 0 },
            { start: start(NOW), succeeded: 0, client_errors: 2, server_errors: 4 },
          ],
        },
        8,
      );
      assert.ok(bars.length <= 63 && bars.length >= 8, `${hours}: ${bars.length}`);
      const sums = [0, 1, 2].map((index) => bars.reduce((sum, { values }) => sum + values[index]!, 0));
      assert.deepEqual(sums, [1, 4, 4], String(hours));
      assert.equal(new Set(bars.map(({ title }) => title)).size, bars.length);
      const ticks = bars.filter(({ tick }) => tick !== undefined);
      assert.ok(ticks.length > 0 && ticks.length <= 9, `${hours}: ${ticks.length} labels`);
    }
  });
});

it('keys are found by name, prefix and last four, and those that have ended come last', () => {
  const key = (name: string, status: Key['status'], lastFour: string) =>
    ({ name, status, prefix: `ua_live_${lastFour}`, last_four: lastFour }) as Key;
  const keys = [
    key('Old', 'revoked', 'Lw2s'),
    key('checkout-prod', 'active', 'eDMG'),
    key('invoices', 'expiring', '0hJr'),
  ];
  const names = (group?: string, search?: string) => selectKeys(keys, group, search).map(({ name }) => name);
  assert.deepEqual(names(), ['checkout-prod', 'invoices', 'Old']);
  assert.deepEqual(names('ended'), ['Old']);
  assert.deepEqual(names('expiring'), ['invoices']);
  assert.deepEqual(names(undefined, 'CHECK'), ['checkout-prod']);
  assert.deepEqual(names('all', 'lw2s'), ['Old']);
  assert.deepEqual(names(undefined, 'nothing'), []);
});
