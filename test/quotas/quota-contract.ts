/** The promises of monthly quotas over replicas, for each engine. Time is an argument: nothing waits. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAccount } from '#accounts';
import { createMonthlyQuotas, type QuotaDecision, type QuotaNotice } from '#limits';
import type { Storage } from '#storage';
import { createUsageRecorder } from '#usage';
import { settlesInTurn } from '../support/settles-in-turn.ts';

const DAY_MS = 86_400_000;
const QUOTA = 10;
const byNumber = (one: number, other: number): number => one - other;
const plans = new Map([['free', { limitPerMinute: 60, slots: null, monthlyQuota: QUOTA }]]);

/** Describes quotas over two storages of one database. */
export function describeQuotas(
  engine: string,
  open: () => Promise<{ here: Storage; there: Storage; close: () => Promise<void> }>,
): void {
  describe(`monthly quotas on ${engine}`, () => {
    let here: Storage;
    let there: Storage;
    let close: () => Promise<void>;
    let nowMs = Date.UTC(2026, 6, 20);
    let accounts = 0;
    before(async () => ({ here, there, close } = await open()));
    after(() => close());

    const now = (): number => nowMs;
    const openAccount = async (): Promise<string> => {
      accounts += 1;
      const email = `quota${accounts}@example.com`;
      return (await createAccount(here.accounts, plans, { email }, nowMs)).id;
    };

    /** Opens a replica that flushes on demand. */
    function openReplica(storage: Storage) {
      const notices: QuotaNotice[] = [];
      const quotas = createMonthlyQuotas({
        store: storage.quotas,
        now,
        onNotice: (notice) => void notices.push(notice),
      });
      const recorder = createUsageRecorder({
        store: storage.usage,
        now,
        flushIntervalMs: 3_600_000,
        onWriteStart: quotas.beginWrite,
        onWritten: quotas.endWrite,
      });
      const decide = async (id: string, cost = 1, quota = QUOTA): Promise<QuotaDecision> =>
        quotas.consume(id, quota, cost, nowMs);
      const end = (accountId: string, units: number): void => {
        const request = {
          keyId: `key of ${accountId}`,
          accountId,
          operation: 'validateEmail',
          requestId: 'r',
          atMs: nowMs,
        };
        recorder.record({ ...request, status: 200, ms: 1, units });
        quotas.record({ accountId, units });
      };
      /** Serves a request; returns if it was admitted. */
      const serve = async (id: string, cost = 1, quota = QUOTA): Promise<boolean> => {
        const { admitted } = await decide(id, cost, quota);
        end(id, admitted ? cost : 0);
        return admitted;
      };
      return { notices, quotas, recorder, decide, end, serve, flush: () => recorder.flush() };
    }

    it('of many requests admit exactly the quota, and a batch as a whole or not at all', async () => {
      const id = await openAccount();
      const { serve, decide, flush } = openReplica(here);
      assert.deepEqual([await serve(id, 8), await serve(id, 3), await serve(id, 1)], [true, false, true]);
      const decision = await decide(id, 2);
      assert.deepEqual([decision.admitted, decision.remaining], [false, 1]);
      await flush();
      const admitted = await Promise.all(Array.from({ length: 50 }, () => serve(id)));
      assert.equal(admitted.filter(Boolean).length, 1);
      await flush();
      assert.equal(await serve(id), false, 'written, and not loaded again yet');
      const [month] = await here.usage.listMonths(id, 0, nowMs);
      assert.equal(month?.units, QUOTA, 'refused requests count no units');
    });

    it('know after a restart what was used before it', async () => {
      const id = await openAccount();
      const first = openReplica(here);
      assert.equal(await first.serve(id, 9), true);
      await first.recorder.close();
      const second = openReplica(there);
      assert.deepEqual([await second.serve(id, 2), await second.serve(id, 1)], [false, true]);
    });

    it('refuse on a replica within 5 s of the quota being used up on another', async () => {
      for (const isIdle of [false, true]) {
        const id = await openAccount();
        const [one, other] = [openReplica(here), openReplica(there)];
        assert.equal(await other.serve(id), true);
        assert.equal(await one.serve(id, QUOTA - 1), true);
        let seconds = 0;
        for (; seconds < 10; seconds += 1) {
          nowMs += 1_000;
          // Each replica flushes once a second; the busy one is asked all the time.
          await Promise.all([one.flush(), other.flush()]);
          const isWaiting = !(await settlesInTurn(other.quotas.consume(id, QUOTA, 0, nowMs)));
          if (!isIdle) assert.equal(isWaiting, false, 'the totals of a busy account are loaded ahead');
          if ((!isIdle || seconds >= 3) && !(await other.serve(id))) break;
        }
        assert.ok(seconds + 1 < 5, `refused after ${seconds + 1} s`);
      }
    });

    it('refuse at once on a replica that has not been asked for minutes', async () => {
      const id = await openAccount();
      const [one, other] = [openReplica(here), openReplica(there)];
      assert.equal(await other.serve(id), true);
      await other.flush();
      nowMs += 120_000;
      await other.flush();
      assert.equal(await one.serve(id, QUOTA - 1), true);
      await one.flush();
      nowMs += 4_000;
      assert.equal(await other.serve(id), false);
    });

    it('reset at midnight of the first of a month (UTC), and not before', async () => {
      const id = await openAccount();
      const endMs = Date.UTC(2026, 8, 1);
      nowMs = endMs - 1_500;
      const { serve, decide, flush } = openReplica(here);
      assert.equal(await serve(id, QUOTA), true);
      await flush();
      assert.equal((await decide(id)).retryAfterSeconds, 2);
      nowMs = endMs - 1;
      const last = await decide(id);
      assert.deepEqual([last.admitted, last.retryAfterSeconds, last.resetsAtMs], [false, 1, endMs]);
      nowMs = endMs;
      const first = await decide(id);
      assert.deepEqual([first.admitted, first.remaining], [true, QUOTA - 1]);
      assert.equal(first.resetsAtMs, Date.UTC(2026, 9, 1));
    });

    it('give notice at 80% and at 100%, once per account, month and percentage over all replicas', async () => {
      const id = await openAccount();
      const replicas = [openReplica(here), openReplica(there)] as const;
      const [one] = replicas;
      const flushAll = async (): Promise<void> => {
        for (let times = 0; times < 3; times += 1) {
          nowMs += 2_000;
          await Promise.all(replicas.map(({ flush }) => flush()));
        }
      };
      const list = (): number[] => replicas.flatMap(({ notices }) => notices.map(({ percent }) => percent));
      for (const { serve } of replicas) assert.equal(await serve(id, 3), true);
      await flushAll();
      assert.deepEqual(list(), []);
      assert.equal(await one.serve(id, 2), true);
      await flushAll();
      assert.deepEqual(list(), [80]);
      assert.equal(await one.serve(id, 2), true);
      await flushAll();
      assert.deepEqual(list().toSorted(byNumber), [80, 100]);
      const notice = replicas.flatMap(({ notices }) => notices).find(({ percent }) => percent === 100);
      const resetsAtMs = Date.UTC(2026, 9, 1);
      assert.deepEqual(notice, { accountId: id, percent: 100, used: 10, quota: 10, resetsAtMs });
      const restarted = openReplica(here);
      assert.equal(await restarted.serve(id), false);
      await restarted.flush();
      assert.deepEqual(restarted.notices, [], 'a restart repeats nothing');
      nowMs = resetsAtMs;
      assert.equal(await one.serve(id, 8), true);
      await flushAll();
      assert.deepEqual(list().toSorted(byNumber), [80, 80, 100], 'the next month has its own');
    });

    it('apply another quota of the account to its next request', async () => {
      const id = await openAccount();
      const { serve, flush } = openReplica(here);
      assert.deepEqual([await serve(id, QUOTA), await serve(id)], [true, false]);
      assert.equal(await serve(id, 1, 100), true);
      await flush();
      assert.equal(await serve(id, 90, 100), false);
    });

    it('count requests in progress, forget refused ones, and those whose end is never reported', async () => {
      const id = await openAccount();
      const { decide, quotas, flush } = openReplica(here);
      assert.equal((await decide(id, QUOTA)).admitted, true);
      assert.equal((await decide(id)).admitted, false);
      quotas.release(id, 4);
      assert.equal((await decide(id, 4)).admitted, true);
      for (let times = 0; times < 2; times += 1) {
        nowMs += 10 * 60_000;
        await flush();
      }
      assert.equal((await decide(id, QUOTA)).admitted, true);
    });

    it('claim no notice of an account that does not exist any more, and delete those of an account with it', async () => {
      const id = await openAccount();
      const claim = (accountId: string) =>
        here.quotas.claimNotice({ accountId, monthStartMs: Date.UTC(2026, 9), percent: 80, nowMs });
      assert.deepEqual([await claim('nobody'), await claim(id), await claim(id)], [false, true, false]);
      assert.equal(await here.accounts.deleteAccount(id), true);
      assert.equal(await claim(id), false);
    });

    it('sum the units of one month, of each account', async () => {
      const [ann, bob, idle] = [await openAccount(), await openAccount(), await openAccount()];
      const { serve, flush } = openReplica(here);
      const monthStartMs = Date.UTC(2026, 9);
      for (const [id, cost] of [
        [ann, 2],
        [ann, 3],
        [bob, 4],
      ] as const)
        await serve(id, cost);
      await flush();
      const sums = await there.quotas.sumUnits([ann, bob, idle], monthStartMs);
      assert.deepEqual([sums.size, sums.get(ann), sums.get(bob)], [2, 5, 4]);
      assert.equal((await there.quotas.sumUnits([ann], monthStartMs - DAY_MS)).size, 0);
    });
  });
}
