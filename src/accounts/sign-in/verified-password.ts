/**
 * Verifying a password takes tens of milliseconds of hashing before a session is created or a new password
 * is stored. If a reset replaces the password meanwhile, the old one must not have an effect after the
 * reset: it would let in the person whom the reset has just signed out.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DBTransactionAdapter } from 'better-auth';
import { ApiError } from '#errors';
import type { AccessStore } from '../access-store.ts';
import { isPassword } from './password-hash.ts';

/** The hash that the password of this call matched; null before. */
const verified = new AsyncLocalStorage<{ hash: string | null }>();

/**
 * Runs `act`. Sessions and passwords are stored within it only while the hash that `verifyHash` matched is
 * still the account's.
 */
export function withVerifiedPassword<T>(act: () => Promise<T>): Promise<T> {
  return verified.run({ hash: null }, act);
}

/** Returns whether the password matches the hash; remembers a matched hash for the rest of the call. */
export async function verifyHash({ password, hash }: { password: string; hash: string }): Promise<boolean> {
  const isRight = await isPassword(password, hash);
  const call = verified.getStore();
  if (call && isRight) call.hash = hash;
  return isRight;
}

/** Returns `database` with writes refused in `withVerifiedPassword` after the password was replaced. */
export function refuseReplacedPasswords(database: AccessStore['authDatabase']): AccessStore['authDatabase'] {
  return (options) => {
    const adapter = database(options);
    return {
      ...guardWrites(adapter),
      transaction: (act) => adapter.transaction((trx) => act(guardWrites(trx))),
    };
  };
}

function guardWrites(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create(request) {
      const row: unknown = await adapter.create(request);
      const { hash } = verified.getStore() ?? {};
      // Checked after the session is stored: a later reset deletes it, an earlier one is visible here.
      if (request.model === 'session' && hash) await assertPasswordOf(row as SessionRow, adapter, hash);
      return row as never;
    },
    async update(request) {
      const call = verified.getStore();
      const { password } = request.update;
      if (request.model !== 'account' || typeof password !== 'string' || !call?.hash)
        return adapter.update(request);
      const where = [...request.where, { field: 'password', value: call.hash }];
      const row: unknown = await adapter.update({ ...request, where });
      if (row === null) throw replacedPassword();
      call.hash = password;
      return row as never;
    },
  };
}

interface SessionRow {
  id: string;
  userId: string;
}

/** Deletes the session and throws `unauthorized` if the hash is no longer its account's. */
async function assertPasswordOf(
  session: SessionRow,
  adapter: DBTransactionAdapter,
  hash: string,
): Promise<void> {
  const credential = await adapter.findOne<{ password: string | null }>({
    model: 'account',
    where: [
      { field: 'userId', value: session.userId },
      { field: 'providerId', value: 'credential' },
    ],
  });
  if (credential?.password === hash) return;
  await adapter.delete({ model: 'session', where: [{ field: 'id', value: session.id }] });
  throw replacedPassword();
}

function replacedPassword(): ApiError {
  return new ApiError('unauthorized', 'The password was replaced at this moment: sign in with the new one.');
}
