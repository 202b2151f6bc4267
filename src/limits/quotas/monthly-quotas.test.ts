import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMonthlyQuotas, type MonthlyQuotasOptions } from './monthly-quotas.ts';
import { settlesInTurn } from '../../../test/support/settles-in-turn.ts';
import { scaledMs } from '../../../test/support/patience.ts';

const NOON = Date.UTC(2026, 6, 20, 12);

/** Opens quotas over a database that `sumUnits` stands for. */
function open(sumUnits: () => Promise<Map<string, number>>, changes: Partial<MonthlyQuotasOptions> = {}) {
  const clock = { nowMs: NOON };
  const errors: unknown[] = [];
  const quotas = createMonthlyQuotas({
    store: { sumUnits, claimNotice: async () => true },
    now: () => clock.nowMs,
    onNotice: () => {},
    onError: (error) => void errors.push(error),
    ...changes,
  });
  const decide = (id = 'account') => quotas.consume(id, 10, 1, clock.nowMs);
  return { clock, errors, quotas, decide };
}

describe('monthly quotas', () => {
  it('count on from the last known total while the database fails, without waiting for it again', async () => {
    let failure: Error | null = null;
    const { clock, errors, decide } = open(async () => {
      if (failure) throw failure;
      return new Map([['account', 7]]);
    });
    assert.equal((await decide()).remaining, 2);
    failure = new Error('the database is away');
    clock.nowMs += 4_000;
    assert.equal((await decide()).remaining, 1);
    assert.ok(await settlesInTurn(decide()), 'decided at once');
    assert.deepEqual(errors, [failure], 'reported once');
    const refused = await decide();
    assert.equal(refused.admitted, false);
    failure = null;
    clock.nowMs += 6_000;
    await decide();
    clock.nowMs += 1_000;
    assert.ok(await settlesInTurn(decide()), 'loaded again');
  });

  it('admit requests if the database does not answer, after half a second', async () => {
    const { decide } = open(() => new Promise(() => {}));
    const startedAtMs = performance.now();
    assert.deepEqual(
      (await Promise.all([decide(), decide()])).map(({ admitted }) => admitted),
      [true, true],
    );
    assert.ok(performance.now() - startedAtMs < scaledMs(2_000));
    assert.ok(await settlesInTurn(decide('another')), 'the next ones do not wait');
  });

  it('load the total of an account once for concurrent requests, and decide later ones at once', async () => {
    let queries = 0;
    const { decide } = open(async () => {
      queries += 1;
      return new Map();
    });
    await Promise.all(Array.from({ length: 20 }, async () => decide()));
    assert.ok(await settlesInTurn(decide()));
    assert.equal(queries, 1);
  });

  it('keep the totals of a bounded number of accounts', async () => {
    let queries = 0;
    const count = async (): Promise<Map<string, number>> => {
      queries += 1;
      return new Map();
    };
    const { decide } = open(count, { maxAccounts: 2 });
    for (const id of ['a', 'b', 'a', 'c', 'b']) await decide(id);
    assert.equal(queries, 3, 'a and b stay until c comes');
    await decide('a');
    assert.equal(queries, 4, 'a was forgotten');
  });
});
