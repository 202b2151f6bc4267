import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createAccount,
  createKey,
  hashKeySecret,
  MAX_LIVE_KEYS,
  rotateKey,
  type ExportCursor,
  type ExportPage,
  type ExportRow,
} from '#accounts';
import {
  confirmSecondFactor,
  createAccess,
  enrollSecondFactor,
  findSession,
  finishSignIn,
  signIn,
} from '#accounts/sign-in';
import type { Client } from '#accounts/sign-in';
import { buildAccount } from '../../src/accounts/create-account.ts';
import type { Storage } from '#storage';
import { computeTotp } from '../support/totp.ts';

const plans = new Map([
  ['free', { limitPerMinute: 60, slots: 2 }],
  ['pro', { limitPerMinute: 600, slots: null }],
]);
const NOW = Date.UTC(2026, 5, 1, 12);

/** The contract of a storage, for each engine. */
export function describeStorage(
  engine: string,
  open: () => Promise<{ storage: Storage; close: () => Promise<void> }>,
): void {
  describe(`storage on ${engine}`, () => {
    let storage: Storage;
    let close: () => Promise<void>;
    before(async () => ({ storage, close } = await open()));
    after(() => close());

    it('finds an account by id and by email address, and refuses a second one with the same address', async () => {
      const ann = await createAccount(
        storage.accounts,
        plans,
        { email: ' Ann@Example.com ', plan: 'pro' },
        NOW,
      );
      assert.deepEqual(await storage.accounts.findAccount(ann.id), {
        id: ann.id,
        email: 'ann@example.com',
        emailVerified: false,
        plan: 'pro',
        admin: false,
        disabled: false,
        unproven: false,
        keysDisabledAtMs: null,
        createdAtMs: NOW,
      });
      assert.deepEqual(await storage.accounts.findAccountByEmail('ann@example.com'), ann);
      assert.equal(await storage.accounts.insertAccount({ ...ann, id: 'acc_other' }), false);
      assert.equal(await storage.accounts.findAccount('acc_other'), null);
    });

    it('an account that signed up by itself is unproven until its address or an operator proves it', async () => {
      const open = async (email: string) => {
        const account = { ...buildAccount(plans, { email }, NOW), unproven: true };
        assert.ok(await storage.accounts.insertAccount(account));
        const { key } = await createKey(storage.keys, { accountId: account.id, name: 'k' }, NOW);
        const isUnproven = async (): Promise<(boolean | undefined)[]> => [
          (await storage.accounts.findAccount(account.id))?.unproven,
          (await storage.keys.findKey(key.id))?.unproven,
        ];
        assert.deepEqual(await isUnproven(), [true, true], email);
        return { ...account, isUnproven };
      };
      for (const changes of [{ emailVerified: true }, { plan: 'pro' }, { admin: true }]) {
        const { id, isUnproven } = await open(`${Object.keys(changes).join()}@self.example`);
        assert.ok(await storage.accounts.updateAccount(id, { disabled: true }, NOW));
        assert.deepEqual(await isUnproven(), [true, true], 'a change of another kind proves nothing');
        assert.ok(await storage.accounts.updateAccount(id, changes, NOW));
        assert.deepEqual(await isUnproven(), [false, false], JSON.stringify(changes));
        await storage.accounts.deleteAccount(id).catch(() => {});
      }
      const { id, email, isUnproven } = await open('reset@self.example');
      const link = { tokenHash: 'self', purpose: 'reset', email, expiresAtMs: NOW + 1 } as const;
      const reset = { tokenHash: 'self', passwordHash: 'h', requestId: 'r', ip: null, nowMs: NOW };
      await storage.access.insertLink({ ...link, createdBy: 'operator' });
      await storage.access.resetPassword(reset);
      assert.deepEqual(await isUnproven(), [true, true], 'a link that was handed over');
      await storage.access.insertLink(link);
      await storage.access.resetPassword(reset);
      assert.deepEqual(await isUnproven(), [false, false], 'a link that was mailed');
      await storage.accounts.deleteAccount(id);
    });

    it('stores at most 1,000 entries of one event per account and day, and prunes entries of no account', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'noisy@example.com' }, NOW);
      const insert = (accountId: string, event: 'sign_in' | 'sign_out', atMs: number): Promise<void> =>
        storage.access.insertAuditEvent({ accountId, event, detail: '', requestId: null, ip: null, atMs });
      const count = async (accountId: string): Promise<number> =>
        (await storage.access.listAuditEvents(accountId, undefined, 5_000)).length;
      for (let n = 0; n < 1_010; n += 1) await insert(account.id, 'sign_in', NOW + n);
      assert.equal(await count(account.id), 1_000);
      await insert(account.id, 'sign_out', NOW);
      assert.equal(await count(account.id), 1_001, 'another event');
      await insert(account.id, 'sign_in', NOW + 86_400_000);
      assert.equal(await count(account.id), 1_002, 'a day later');
      await insert('', 'sign_in', NOW);
      await storage.access.pruneAccess(NOW + 1, NOW);
      assert.deepEqual([await count(''), await count(account.id)], [0, 1_002]);
      await storage.accounts.deleteAccount(account.id);
    });

    it('counts the days without use of unproven accounts, one by one of concurrent calls', async () => {
      const DAY = 86_400_000;
      const open = async (email: string, changes: object = {}) => {
        const account = { ...buildAccount(plans, { email }, NOW), unproven: true, ...changes };
        await storage.accounts.insertAccount(account);
        return account;
      };
      const idle = await open('idle@days.example');
      const busy = await open('busy@days.example');
      const disabled = await open('disabled@days.example', { keysDisabledAtMs: NOW });
      const existing = await open('existing@days.example', { unproven: false });
      const verified = await open('verified@days.example', { emailVerified: true });
      // More than one statement counts.
      const crowd: (typeof idle)[] = [];
      const openOfCrowd = (n: number) => open(`${n}@crowd.example`);
      // 300 at once would wait too long for a connection on a slow machine.
      while (crowd.length < 300)
        crowd.push(...(await Promise.all([0, 1, 2, 3, 4, 5].map((m) => openOfCrowd(crowd.length + m)))));
      const keys = new Map<string, string>();
      for (const { id } of [busy, disabled])
        keys.set(id, (await createKey(storage.keys, { accountId: id, name: 'k' }, NOW)).key.id);
      /** Returns the days of the accounts that were counted. */
      const count = async (nowMs: number): Promise<Record<string, number>> => {
        // Three replicas at once: each account is counted by one of them.
        const lists = await Promise.all([0, 1, 2].map(() => storage.accounts.countIdleDays(0, nowMs)));
        const all = lists.flat();
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length, 'counted twice');
        const counted = all.filter(({ email }) => email.endsWith('@days.example'));
        return Object.fromEntries(counted.map(({ email, idleDays }) => [email.split('@', 1)[0], idleDays]));
      };
      const use = (nowMs: number): Promise<void> =>
        storage.usage.addUsage({
          id: `use ${nowMs}`,
          counts: [],
          latencies: [],
          errors: [],
          months: [],
          requests: [],
          lastUsed: new Map([...keys.values()].map((id) => [id, nowMs])),
        } as unknown as Parameters<typeof storage.usage.addUsage>[0]);
      assert.deepEqual(await count(NOW), { idle: 0, busy: 0, disabled: 0 }, 'counting begins');
      assert.deepEqual(await count(NOW + DAY - 1), {}, 'not before a day is over');
      await use(NOW + 10);
      assert.deepEqual(await count(NOW + DAY), { idle: 1, busy: 0, disabled: 1 });
      assert.deepEqual(await count(NOW + 2 * DAY), { idle: 2, busy: 1, disabled: 2 });
      const later = (await storage.accounts.countIdleDays(3, NOW + 3 * DAY)).filter(({ email }) =>
        email.endsWith('@days.example'),
      );
      assert.deepEqual(
        later.map(({ id }) => id).toSorted(),
        [idle.id, disabled.id].toSorted(),
        'from the given number of days',
      );
      // A clock that jumps by 30 days counts one, and takes it back when it jumps back.
      assert.deepEqual(await count(NOW + 33 * DAY), { idle: 4, busy: 3, disabled: 4 });
      assert.deepEqual(await count(NOW + 33 * DAY - 3_000_000), {}, 'clocks of replicas differ');
      assert.deepEqual(await count(NOW + 3 * DAY), { idle: 3, busy: 2, disabled: 3 });
      assert.deepEqual(await count(NOW + 3 * DAY + 1), {});
      assert.equal(await storage.accounts.deleteAccount(verified.id, undefined, true), false);
      assert.equal(await storage.accounts.deleteAccount(existing.id, undefined, true), false);
      assert.equal(await storage.accounts.deleteAccount(idle.id, undefined, true), true);
      for (const { id } of [busy, disabled, verified, existing, ...crowd])
        await storage.accounts.deleteAccount(id);
    });

    it('stores exactly 20 of 60 keys that are created concurrently for one account', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'many@example.com' }, NOW);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, () => createKey(storage.keys, { accountId: account.id, name: 'k' }, NOW)),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, MAX_LIVE_KEYS);
      assert.equal(await storage.keys.countLiveKeys(account.id, NOW), MAX_LIVE_KEYS);
    });

    it('stores a digest, never the secret', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'digest@example.com' }, NOW);
      const { key, secret } = await createKey(
        storage.keys,
        { accountId: account.id, name: 'k', operations: ['getMetadata'], clientCidrs: ['10.0.0.0/8'] },
        NOW,
      );
      const grant = await storage.keys.findKeyBySecretHash(hashKeySecret(secret));
      assert.deepEqual(grant, { key, plan: 'free', disabled: false, unproven: false });
      assert.ok(!JSON.stringify(grant).includes(secret));
    });

    it('rotates a key once, even by concurrent calls', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'rotate@example.com' }, NOW);
      const { key: old } = await createKey(storage.keys, { accountId: account.id, name: 'k' }, NOW);
      const outcomes = await Promise.allSettled(
        [0, 1, 2].map(() => rotateKey(storage.keys, old, 3, NOW + 1)),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      const keys = await storage.keys.listKeys(account.id);
      assert.equal(keys.length, 2);
      const ended = keys.find(({ id }) => id === old.id);
      const fresh = keys.find(({ id }) => id !== old.id);
      assert.equal(ended?.rotatedTo, fresh?.id);
      assert.equal(ended?.expiresAtMs, NOW + 1 + 3 * 86_400_000);
      assert.equal(fresh?.limitId, old.id);
    });

    it('calls its listeners immediately after changes that affect keys', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'notice@example.com' }, NOW);
      const { key } = await createKey(storage.keys, { accountId: account.id, name: 'k' }, NOW);
      let notices = 0;
      storage.onKeyChange(() => (notices += 1));
      await storage.keys.revokeKey(key.id, NOW);
      assert.ok(notices > 0);
      // PostgreSQL delivers a notice of the own change too.
      const before = notices;
      await storage.accounts.updateAccount(account.id, { disabled: true }, NOW);
      assert.ok(notices > before);
    });

    it('deletes an account with its keys and usage', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'gone@example.com' }, NOW);
      const { key, secret } = await createKey(storage.keys, { accountId: account.id, name: 'k' }, NOW);
      await storage.usage.addUsage({
        counts: [
          {
            accountId: account.id,
            keyId: key.id,
            operation: 'validateEmail',
            statusClass: '2xx',
            bucketSize: 'hour',
            bucketStartMs: NOW,
            requests: 3,
          },
        ],
        latencies: (['hour', 'day'] as const).map((bucketSize) => ({
          accountId: account.id,
          operation: 'validateEmail',
          bucketSize,
          bucketStartMs: 0,
          ms: 5,
          requests: 3,
        })),
        errors: [
          {
            accountId: account.id,
            keyId: key.id,
            operation: 'validateEmail',
            error: 'timeout',
            bucketSize: 'hour',
            bucketStartMs: 0,
            requests: 3,
          },
        ],
        months: [
          {
            accountId: account.id,
            monthStartMs: 0,
            operation: 'validateEmail',
            requests: 3,
            errors: 0,
            units: 3,
          },
        ],
        requests: [],
        lastUsed: new Map([[key.id, NOW + 5]]),
      });
      assert.equal((await storage.keys.findKey(key.id))?.key.lastUsedAtMs, NOW + 5);
      assert.equal(await storage.accounts.deleteAccount(account.id), true);
      assert.equal(await storage.keys.findKeyBySecretHash(hashKeySecret(secret)), null);
      const query = { accountId: account.id, bucketSize: 'hour', fromMs: 0, toMs: NOW * 2 } as const;
      const days = { ...query, bucketSize: 'day' } as const;
      for (const rows of [
        storage.usage.listUsage(query),
        storage.usage.listLatencies(query),
        storage.usage.listLatencies(days),
        storage.usage.sumErrors(query),
        storage.usage.listMonths(account.id, 0, NOW),
      ])
        assert.deepEqual(await rows, []);
      assert.equal(await storage.accounts.deleteAccount(account.id), false);
    });

    it('lists accounts newest first, in pages, by a literal part of their email address', async () => {
      const emails = Array.from({ length: 5 }, (_, n) => `page_${n}%x@example.org`.replace('%x', ''));
      for (const [n, email] of emails.entries())
        await createAccount(storage.accounts, plans, { email }, NOW + n);
      const first = await storage.accounts.listAccounts({ query: 'PAGE_', limit: 3, nowMs: NOW });
      assert.deepEqual(
        first.map(({ email }) => email),
        emails.toReversed().slice(0, 3),
      );
      const rest = await storage.accounts.listAccounts({
        query: 'page_',
        beforeId: first.at(-1)?.id,
        limit: 3,
        nowMs: NOW,
      });
      assert.deepEqual(
        rest.map(({ email }) => email),
        emails.toReversed().slice(3),
      );
      for (const query of ['%', 'page%0', 'pageX', '\\'])
        assert.deepEqual(await storage.accounts.listAccounts({ query, limit: 3, nowMs: NOW }), [], query);
    });

    it('lists accounts that were created at the same time one time each over several pages', async () => {
      const emails = Array.from({ length: 7 }, (_, n) => `same-time-${n}@example.org`);
      for (const email of emails) await createAccount(storage.accounts, plans, { email }, NOW);
      const listed: string[] = [];
      for (let beforeId: string | undefined; ;) {
        const request = { query: 'same-time', beforeId, limit: 3, nowMs: NOW };
        const page = await storage.accounts.listAccounts(request);
        if (page.length === 0) break;
        assert.ok(page.length <= 3);
        listed.push(...page.map(({ email }) => email));
        beforeId = page.at(-1)?.id;
      }
      assert.deepEqual(listed.toSorted(), emails);
    });

    it('counts accounts by plan, finds out whether there is an administrator, and keeps the only one', async () => {
      const before = (await storage.accounts.countAccountsByPlan()).get('pro') ?? 0;
      assert.equal(await storage.accounts.hasAdmin(), false);
      const root = await createAccount(
        storage.accounts,
        plans,
        { email: 'root@example.com', plan: 'pro', admin: true },
        NOW,
      );
      assert.equal((await storage.accounts.countAccountsByPlan()).get('pro'), before + 1);
      assert.equal(await storage.accounts.hasAdmin(), true);

      const { accounts } = storage;
      const isLast = { code: 'invalid_parameter', message: /only administrator/ };
      await assert.rejects(accounts.updateAccount(root.id, { disabled: true }, NOW), isLast);
      await assert.rejects(accounts.updateAccount(root.id, { admin: false }, NOW), isLast);
      await assert.rejects(accounts.deleteAccount(root.id), isLast);
      assert.deepEqual(await accounts.findAccount(root.id), root);
    });

    it('keeps an administrator who can sign in, whatever happens to all of them at once', async () => {
      const { accounts } = storage;
      const remove = (id: string, isDeleted: boolean): Promise<unknown> =>
        isDeleted ? accounts.deleteAccount(id) : accounts.updateAccount(id, { disabled: true }, NOW);
      for (let round = 0; round < 10; round += 1) {
        const email = `admin${round}@example.com`;
        await createAccount(accounts, plans, { email, admin: true }, NOW);
        const admins = (await accounts.listAccounts({ limit: 500, nowMs: NOW })).filter(
          ({ admin, disabled }) => admin && !disabled,
        );
        assert.equal(admins.length, 2);
        const outcomes = await Promise.allSettled(
          admins.map(({ id }, index) => remove(id, (round + index) % 2 === 1)),
        );
        assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
        assert.equal(await accounts.hasAdmin(), true);
      }
    });

    it('an invitation is used once, even by concurrent calls, and not after it expired', async () => {
      const invitation = {
        tokenHash: 'hash',
        purpose: 'invite',
        email: null,
        expiresAtMs: NOW + 1_000,
      } as const;
      await storage.access.insertLink(invitation);
      assert.equal(await storage.access.useLink('invite', 'hash', NOW + 1_000), null);
      assert.equal(await storage.access.useLink('setup', 'hash', NOW), null, 'it has another purpose');
      assert.equal(await storage.access.findLink('setup', 'hash', NOW), null, 'it has another purpose');
      const stored = { ...invitation, createdAtMs: null, createdBy: null, usedAtMs: null };
      assert.deepEqual(await storage.access.findLink('invite', 'hash', NOW), stored);
      const used = await Promise.all(
        Array.from({ length: 10 }, () => storage.access.useLink('invite', 'hash', NOW)),
      );
      assert.deepEqual(
        used.filter((one) => one !== null),
        [{ ...stored, usedAtMs: NOW, expiresAtMs: NOW }],
      );
      assert.equal(await storage.access.findLink('invite', 'hash', NOW), null);
    });

    it('invitations are listed newest first, revoked before their use, and kept for the retention time', async () => {
      const insert = (tokenHash: string, createdAtMs: number, purpose: 'invite' | 'reset' = 'invite') =>
        storage.access.insertLink({
          tokenHash,
          purpose,
          email: 'listed@example.com',
          expiresAtMs: NOW + 1_000,
          createdAtMs,
          createdBy: 'acc_boss',
        });
      await insert('older', NOW + 1);
      await insert('newer', NOW + 2);
      await insert('another purpose', NOW + 3, 'reset');
      const list = async () =>
        (await storage.access.listInvitations(10)).filter(({ email }) => email === 'listed@example.com');
      assert.deepEqual(await list(), [
        {
          tokenHash: 'newer',
          purpose: 'invite',
          email: 'listed@example.com',
          expiresAtMs: NOW + 1_000,
          createdAtMs: NOW + 2,
          createdBy: 'acc_boss',
          usedAtMs: null,
        },
        {
          tokenHash: 'older',
          purpose: 'invite',
          email: 'listed@example.com',
          expiresAtMs: NOW + 1_000,
          createdAtMs: NOW + 1,
          createdBy: 'acc_boss',
          usedAtMs: null,
        },
      ]);
      await storage.access.useLink('invite', 'older', NOW + 5);
      assert.equal(await storage.access.deleteInvitation('older'), false, 'it was used');
      assert.equal(await storage.access.deleteInvitation('another purpose'), false);
      assert.equal(await storage.access.deleteInvitation('newer'), true);
      assert.equal(await storage.access.findLink('invite', 'newer', NOW), null);
      await storage.access.pruneAccess(NOW + 2_000, NOW);
      assert.deepEqual(
        (await list()).map(({ tokenHash, usedAtMs }) => [tokenHash, usedAtMs]),
        [['older', NOW + 5]],
      );
      assert.equal(await storage.access.findLink('reset', 'another purpose', NOW), null);
      await storage.access.pruneAccess(NOW + 2_000, NOW + 1_000);
      assert.deepEqual(await list(), []);
    });

    it('the usage of all accounts is summed by bucket, and a request is found by its id', async () => {
      const count = (accountId: string, keyId: string, requests: number) => ({
        accountId,
        keyId,
        operation: 'getMetadata',
        statusClass: '4xx' as const,
        bucketSize: 'day' as const,
        bucketStartMs: 86_400_000,
        requests,
      });
      const line = (requestId: string, accountId: string, atMs: number) => ({
        accountId,
        keyId: 'key_x',
        operation: 'getMetadata',
        status: 404,
        ms: 7,
        requestId,
        atMs,
      });
      await storage.usage.addUsage({
        counts: [count('acc_one', 'key_a', 2), count('acc_one', 'key_b', 3), count('acc_two', 'key_c', 4)],
        latencies: [],
        errors: [],
        months: [],
        requests: [line('find-me', 'acc_one', NOW), line('find-other', 'acc_two', NOW)],
        lastUsed: new Map(),
      });
      const sums = await storage.usage.sumAccounts('day', 86_400_000);
      assert.deepEqual(
        sums.toSorted((a, b) => a.requests - b.requests),
        [
          { accountId: 'acc_two', operation: 'getMetadata', statusClass: '4xx', requests: 4 },
          { accountId: 'acc_one', operation: 'getMetadata', statusClass: '4xx', requests: 5 },
        ],
      );
      assert.deepEqual(await storage.usage.sumAccounts('hour', 86_400_000), []);
      const found = await storage.usage.findRequest('find-me', null);
      assert.equal(found?.accountId, 'acc_one');
      assert.equal(found?.status, 404);
      assert.equal((await storage.usage.findRequest('find-me', 'acc_one'))?.id, found?.id);
      assert.equal(await storage.usage.findRequest('find-me', 'acc_two'), null);
      assert.equal(await storage.usage.findRequest('find', null), null);
    });

    it('all data of an account is exported in pages, each row once', async () => {
      const { id } = await createAccount(storage.accounts, plans, { email: 'export@example.com' }, NOW);
      const { key } = await createKey(storage.keys, { accountId: id, name: 'k' }, NOW);
      const count = (bucketStartMs: number) => ({
        accountId: id,
        keyId: key.id,
        operation: 'getMetadata',
        statusClass: '2xx' as const,
        bucketSize: 'hour' as const,
        bucketStartMs,
        requests: 1,
      });
      await storage.usage.addUsage({
        counts: Array.from({ length: 501 }, (_, n) => count(n * 3_600_000)),
        latencies: [
          {
            accountId: id,
            operation: 'getMetadata',
            bucketSize: 'hour',
            bucketStartMs: 0,
            ms: 8,
            requests: 1,
          },
        ],
        errors: [],
        months: [],
        requests: [],
        lastUsed: new Map([[key.id, NOW]]),
      });
      const sections = new Map<string, ExportRow[]>();
      for (let at: ExportCursor | null = { section: 0, after: null }; at !== null;) {
        const page: ExportPage = await storage.accounts.loadExportPage(id, at);
        sections.set(page.section, [...(sections.get(page.section) ?? []), ...page.rows]);
        at = page.next;
      }
      assert.equal(sections.get('accounts')?.[0]?.['email'], 'export@example.com');
      assert.equal(sections.get('api_keys')?.[0]?.['last_used_at'], new Date(NOW).toISOString());
      assert.equal(new Set(sections.get('usage_counts')?.map((row) => row['bucket_start'])).size, 501);
      assert.equal(sections.get('usage_counts')?.length, 501);
      assert.equal(sections.get('usage_latencies')?.length, 1);
      assert.deepEqual(sections.get('sessions'), []);
    });

    it('a database has a size', async () => {
      assert.ok(((await storage.loadSizeBytes()) ?? 0) > 10_000);
    });

    it('a secret is the same for concurrent first callers', async () => {
      const secrets = await Promise.all(
        Array.from({ length: 10 }, (_, n) => storage.access.findOrCreateSecret('name', `value ${n}`)),
      );
      assert.equal(new Set(secrets).size, 1);
      assert.equal(await storage.access.findOrCreateSecret('name', 'late'), secrets[0]);
    });

    it('the audit trail is paged newest first and pruned by age', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'audit@example.com' }, NOW);
      for (let n = 0; n < 7; n++)
        await storage.access.insertAuditEvent({
          accountId: account.id,
          event: 'key.created',
          detail: `${n}`,
          requestId: null,
          ip: '2001:db8::1',
          atMs: NOW + n,
        });
      const first = await storage.access.listAuditEvents(account.id, undefined, 5);
      assert.deepEqual(
        first.map(({ detail }) => detail),
        ['6', '5', '4', '3', '2'],
      );
      const rest = await storage.access.listAuditEvents(account.id, first.at(-1)?.id, 5);
      assert.deepEqual(
        rest.map(({ detail }) => detail),
        ['1', '0'],
      );
      assert.equal(first[0]?.ip, '2001:db8::1');
      assert.equal(await storage.access.findLastEvent(account.id, 'key.created'), NOW + 6);
      assert.equal(await storage.access.findLastEvent(account.id, 'key.revoked'), null);
      await storage.access.pruneAccess(NOW, NOW + 5);
      assert.equal((await storage.access.listAuditEvents(account.id, undefined, 5)).length, 2);
    });

    it('ended keys are deleted after their retention time, live ones are not', async () => {
      const account = await createAccount(storage.accounts, plans, { email: 'old-keys@example.com' }, NOW);
      const create = (expiresAtMs: number | null) =>
        createKey(storage.keys, { accountId: account.id, name: 'k', expiresAtMs }, NOW);
      const [revoked, , working] = [await create(null), await create(NOW + 1), await create(null)];
      await storage.keys.revokeKey(revoked.key.id, NOW);
      await storage.access.pruneAccess(NOW, NOW);
      assert.equal((await storage.keys.listKeys(account.id)).length, 3);
      await storage.access.pruneAccess(NOW, NOW + 2);
      assert.deepEqual(
        (await storage.keys.listKeys(account.id)).map(({ id }) => id),
        [working.key.id],
      );
    });

    it('a second factor is confirmed, counts wrong codes, and accepts each code once', async () => {
      const access = await createAccess({
        store: storage.access,
        accounts: storage.accounts,
        plans,
        signups: 'open',
        sendMail: async () => true,
        getOrigin: () => 'http://service.example',
        now: Date.now,
        onError: (error) => assert.fail(String(error)),
      });
      const client = { ip: null, userAgent: 'test', isSecure: false, requestId: 'r', cookie: '' };
      let addresses = 0;
      const openClient = (setCookies: readonly string[] = []): Client => ({
        ...client,
        address: `192.0.2.${addresses++}`,
        cookie: setCookies.map((header) => header.split(';', 1)[0]).join('; '),
      });
      const [email, password] = ['factor@example.com', 'correct horse battery'];
      const { id } = await createAccount(storage.accounts, plans, { email }, NOW);
      const passwordHash = await (
        await import('../../src/accounts/sign-in/password.ts')
      ).hashPassword(password);
      await storage.access.insertFirstPassword({ accountId: id, passwordHash, nowMs: NOW });
      assert.equal(
        await storage.access.insertFirstPassword({ accountId: id, passwordHash, nowMs: NOW }),
        false,
      );
      const { setCookies } = await signIn(access, { email, password }, openClient());
      const session = await findSession(access, openClient(setCookies));
      assert.ok(session);
      const { secret } = await enrollSecondFactor(access, session, { password }, openClient(setCookies));
      const code = computeTotp(secret, Date.now());
      await confirmSecondFactor(access, session, code, openClient(setCookies));
      const start = async () =>
        openClient((await signIn(access, { email, password }, openClient())).setCookies);
      await assert.rejects(
        start().then((pending) => finishSignIn(access, code, pending)),
        /used already/,
      );
      await assert.rejects(
        start().then((pending) => finishSignIn(access, '000000', pending)),
        /not right/,
      );
      const next = computeTotp(secret, Date.now() + 30_000);
      const finished = await finishSignIn(access, next, await start());
      assert.equal(finished.account.id, id);
      assert.equal(await storage.access.deleteSecondFactor(id, { endsSessions: true }), true);
      assert.equal(await storage.access.deleteSecondFactor(id, { endsSessions: true }), false);
      assert.equal((await signIn(access, { email, password }, openClient())).isPending, false);
      access.close();
    });

    it('usage adds up under concurrency, by key and for all keys together', async () => {
      const count = (keyId: string, bucketStartMs: number) =>
        ({
          accountId: 'acc_sum',
          keyId,
          operation: 'generatePdf',
          statusClass: '2xx',
          bucketSize: 'hour',
          bucketStartMs,
          requests: 2,
        }) as const;
      await Promise.all(
        Array.from({ length: 50 }, () =>
          storage.usage.addUsage({
            counts: [count('k1', 0), count('k2', 0), count('k1', 3_600_000)],
            latencies: [],
            errors: [],
            months: [],
            requests: [],
            lastUsed: new Map(),
          }),
        ),
      );
      const query = { accountId: 'acc_sum', bucketSize: 'hour', fromMs: 0, toMs: 3_600_001 } as const;
      assert.deepEqual(
        (await storage.usage.sumUsage(query)).map(({ requests }) => requests),
        [200, 100],
      );
      assert.deepEqual(
        (await storage.usage.sumUsage({ ...query, keyIds: ['k2'] })).map(({ requests }) => requests),
        [100],
      );
      assert.deepEqual(
        (await storage.usage.listUsage({ ...query, toMs: 3_600_000 })).map(({ requests }) => requests),
        [100, 100],
      );
      assert.deepEqual(
        (await storage.usage.listUsage({ ...query, keyIds: ['k2'] })).map(({ keyId }) => keyId),
        ['k2'],
      );
    });

    it('usage that is added again counts errors, months and latencies once per batch, by hour and day', async () => {
      const accountId = 'acc_all';
      const shared = { accountId, operation: 'getMetadata' };
      const count = { ...shared, keyId: 'k1', error: 'timeout', requests: 2 };
      const batch = {
        counts: [],
        latencies: [
          { ...shared, bucketSize: 'hour', bucketStartMs: NOW, ms: 5, requests: 3 },
          { ...shared, bucketSize: 'day', bucketStartMs: 0, ms: 6, requests: 4 },
        ],
        errors: [
          { ...count, bucketSize: 'hour', bucketStartMs: NOW },
          { ...count, bucketSize: 'day', bucketStartMs: 0 },
          { ...count, keyId: 'k2', bucketSize: 'hour', bucketStartMs: NOW },
        ],
        months: [{ ...shared, monthStartMs: 0, requests: 3, errors: 2, units: 50 }],
        requests: [],
        lastUsed: new Map(),
      } as const;
      for (let times = 0; times < 3; times += 1) await storage.usage.addUsage({ ...batch });
      const range = { accountId, fromMs: 0, toMs: NOW + 1 };
      const hours = { ...range, bucketSize: 'hour' } as const;
      const days = { ...range, bucketSize: 'day' } as const;
      const listed = await Promise.all([hours, days].map((query) => storage.usage.listLatencies(query)));
      assert.deepEqual(
        listed.flat().map(({ bucketSize, ms, requests }) => [bucketSize, ms, requests]),
        [
          ['hour', 5, 9],
          ['day', 6, 12],
        ],
      );
      const sum = async (query: Parameters<typeof storage.usage.sumErrors>[0]): Promise<number[]> =>
        (await storage.usage.sumErrors(query)).map(({ requests }) => requests);
      assert.deepEqual(await sum(hours), [12]);
      assert.deepEqual(await sum({ ...hours, keyIds: ['k2'] }), [6]);
      assert.deepEqual(await sum({ ...hours, errors: ['internal'] }), []);
      assert.deepEqual(await sum(days), [6]);
      assert.deepEqual(await storage.usage.listMonths(accountId, 0, 1), [
        { ...shared, monthStartMs: 0, requests: 9, errors: 6, units: 150 },
      ]);
    });

    it('a line of the log keeps its details, and is found, filtered and counted by them', async () => {
      // The id of a line is of the time of its storage: ranges permit a delay of an hour.
      const START = Date.now() - (Date.now() % 60_000);
      const plain = {
        accountId: 'acc_details',
        keyId: 'k',
        operation: 'getMetadata',
        status: 200,
        ms: 7,
        requestId: 'process-00000a',
        atMs: START,
      };
      const failed = {
        ...plain,
        status: 408,
        ms: 900,
        requestId: 'process-00000b',
        atMs: START + 60_000,
        error: 'timeout',
        param: 'timeout',
        route: 'GET /v1/meta',
        timeoutMs: 1_000,
        units: 1,
        limitPerMinute: 60,
        limitRemaining: 59,
        failedItems: 0,
        phases: { dns: 1, connect: 2, first_byte: 890 },
      };
      const batch = { counts: [], latencies: [], errors: [], months: [], lastUsed: new Map() };
      await storage.usage.addUsage({ ...batch, requests: [plain, failed] });
      const find = async (requestId: string, accountId: string | null): Promise<unknown> => {
        const line = await storage.usage.findRequest(requestId, accountId);
        return line && { ...line, id: undefined };
      };
      assert.deepEqual(await find('process-00000a', 'acc_details'), { ...plain, id: undefined });
      assert.deepEqual(await find('process-00000b', null), { ...failed, id: undefined });
      assert.equal(await find('process-00000b', 'acc_other'), null);
      const filter = { accountId: 'acc_details' };
      for (const [changes, expected] of [
        [{}, [408, 200]],
        [{ errors: ['timeout', 'internal'] }, [408]],
        [
          {
            statuses: [
              [200, 299],
              [500, 599],
            ],
          },
          [200],
        ],
        [
          {
            statuses: [
              [400, 499],
              [500, 599],
            ],
          },
          [408],
        ],
        [{ minMs: 900 }, [408]],
        [{ fromMs: START + 1 }, [408]],
        [{ toMs: START + 60_000 }, [200]],
        [{ requestIdPart: '00000a' }, [200]],
        [{ requestIdPart: 'process' }, [408, 200]],
        [{ requestIdPart: '%' }, []],
        [{ keyIds: ['k'], operations: ['getMetadata'] }, [408, 200]],
      ] as const) {
        const { requests } = await storage.usage.listRequests({ ...filter, ...changes, limit: 10 });
        assert.deepEqual(
          requests.map(({ status }) => status),
          expected,
          JSON.stringify(changes),
        );
        const { buckets, sinceMs } = await storage.usage.countRequests({
          ...filter,
          ...changes,
          bucketMs: 60_000,
        });
        assert.equal(sinceMs, null);
        assert.deepEqual(
          buckets.map(({ bucketStartMs, statusClass, requests: n }) => [bucketStartMs, statusClass, n]),
          expected
            .toReversed()
            .map((status) => [status === 200 ? START : START + 60_000, `${status}`[0] + 'xx', 1]),
        );
      }
    });

    it('a filtered log is paged to its end, also past pages without a match', async () => {
      const line = (n: number) => ({
        accountId: 'acc_lines',
        keyId: 'k',
        operation: n % 100 === 0 ? 'rare' : 'often',
        status: 200,
        ms: 1,
        requestId: `${n}`,
        atMs: NOW,
      });
      const requests = Array.from({ length: 450 }, (_, n) => line(n));
      await storage.usage.addUsage({
        counts: [],
        latencies: [],
        errors: [],
        months: [],
        requests,
        lastUsed: new Map(),
      });
      const query = { accountId: 'acc_lines', operations: ['rare'], limit: 2 };
      const first = await storage.usage.listRequests(query);
      assert.deepEqual(
        first.requests.map(({ requestId }) => requestId),
        ['400', '300'],
      );
      const second = await storage.usage.listRequests({ ...query, beforeId: first.nextId ?? '' });
      assert.deepEqual(
        second.requests.map(({ requestId }) => requestId),
        ['200', '100'],
      );
      const third = await storage.usage.listRequests({ ...query, beforeId: second.nextId ?? '' });
      assert.deepEqual(
        third.requests.map(({ requestId }) => requestId),
        ['0'],
      );
      assert.equal(third.nextId, null);
    });
  });
}
