import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  createAccess,
  findResetAccount,
  requestPasswordReset,
  setUp,
  signIn,
  signUp,
  type AccessContext,
  type Client,
} from '#accounts/sign-in';
import { openStorage, type Storage } from '#storage';

const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const PASSWORD = 'correct horse battery';

let clients = 0;
/** Returns a client with an address of its own, so that no throttle delays it. */
const openClient = (): Client => ({
  address: `192.0.2.${clients++}`,
  userAgent: 'test',
  isSecure: true,
  ip: '192.0.2.1',
  requestId: 'r',
  cookie: '',
});

/** Runs `act`. Returns its error and how often it computed argon2, the expensive part of a sign-in. */
async function countHashes(act: () => Promise<unknown>): Promise<{ hashes: number; error: unknown }> {
  let hashes = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') hashes += 1;
    },
  }).enable();
  try {
    const error = await act().then(
      () => null,
      (error: unknown) => error,
    );
    return { hashes, error };
  } finally {
    hook.disable();
  }
}

describe('sign-in', () => {
  let dataDir: string;
  let storage: Storage;
  let access: AccessContext & { close(): void };
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sign-in-'));
    storage = await openStorage({ dataDir });
    access = await createAccess({
      store: storage.access,
      accounts: storage.accounts,
      plans,
      signups: 'open',
      sendMail: async () => true,
      getOrigin: () => '',
      now: Date.now,
      onError: (error) => assert.fail(String(error)),
    });
    await signUp(access, { email: 'known@example.com', password: PASSWORD }, openClient());
  });
  after(async () => {
    access.close();
    await new Promise(setImmediate);
    await storage.close();
    await rm(dataDir, { recursive: true });
  });

  const attempt = (email: string, password: string) =>
    countHashes(() => signIn(access, { email, password }, openClient()));

  it('computes one hash for the right password', async () => {
    assert.deepEqual(await attempt('known@example.com', PASSWORD), { hashes: 1, error: null });
  });

  for (const [name, email, password] of [
    ['a wrong password', 'known@example.com', 'a wrong guess'],
    ['an unknown address', 'unknown@example.com', 'a wrong guess'],
    ['a malformed address', 'not an address', 'a wrong guess'],
    ['an empty address', '', 'a wrong guess'],
    ['a password that is too long', 'known@example.com', 'x'.repeat(1_001)],
  ] as const)
    it(`does the same work, with the same message, for ${name}`, async () => {
      const { hashes, error } = await attempt(email, password);
      assert.equal(hashes, 1);
      assert.ok(error instanceof Error && 'code' in error);
      assert.equal(error.code, 'unauthorized');
      assert.equal(error.message, 'The email address or the password is not right.');
    });

  /** Calls that need no password, none of which succeeds here. */
  const calls: Record<string, (client: Client) => unknown> = {
    'sign-ups': (client) => signUp(access, { email: 'new@example.com', password: 'weak' }, client),
    'set-ups': (client) =>
      setUp(access, { token: 'a guess', email: 'new@example.com', password: PASSWORD }, client),
    'requests of a new password': async (client) => requestPasswordReset(access, 'no address', client),
    'looks at a reset link': async (client) => {
      if ((await findResetAccount(access, 'a guess', client)) === null) throw new Error('no such link');
    },
  };
  for (const [name, call] of Object.entries(calls))
    it(`30 ${name} of one address are looked at in a minute, and not the next`, async () => {
      const client = openClient();
      const listCodes = async (count: number) => {
        const codes = new Set<unknown>();
        for (let n = 0; n < count; n++)
          codes.add(await Promise.resolve(call(client)).catch((error: { code?: string }) => error.code));
        return codes;
      };
      assert.ok(!(await listCodes(30)).has('rate_limit_exceeded'));
      assert.deepEqual(await listCodes(2), new Set(['rate_limit_exceeded']));
      await assert.rejects(
        Promise.resolve(call(openClient())),
        ({ code }: { code?: string }) => code !== 'rate_limit_exceeded',
      );
    });
});
