/**
 * A password is judged (tens of milliseconds of hashing) before a session is opened or a new password is
 * stored by it. If a reset replaces the password meanwhile, the old one must not have any effect after the
 * reset: it would let in whom the reset has just signed out.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DBTransactionAdapter } from 'better-auth';
import { ApiError } from '#errors';
import type { AccessStore } from '../access-store.ts';
import { isPassword } from './password-hash.ts';

/** The hash that the password of this call was found to match; null until then. */
const judged = new AsyncLocalStorage<{ hash: string | null }>();

/**
 * Runs `act`; within it, sessions and passwords are stored only while the hash judged by `judgeHash` is still
 * the account's.
 */
export function withJudgedPassword<T>(act: () => Promise<T>): Promise<T> {
  return judged.run({ hash: null }, act);
}

/** Verifies a password and remembers the hash for the rest of the call. */
export async function judgeHash({ password, hash }: { password: string; hash: string }): Promise<boolean> {
  const isRight = await isPassword(password, hash);
  const call = judged.getStore();
  if (call && isRight) call.hash = hash;
  return isRight;
}

/**
 * The same database; within `withJudgedPassword`, it refuses to act by a password that was replaced since.
 */
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
      const { hash } = judged.getStore() ?? {};
      // Checked after the session is stored: a reset that comes later ends it, one that came before is seen
      // here.
      if (request.model === 'session' && hash) await checkSession(adapter, row as SessionRow, hash);
      return row as never;
    },
    async update(request) {
      const call = judged.getStore();
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

async function checkSession(
  adapter: DBTransactionAdapter,
  session: SessionRow,
  judgedHash: string,
): Promise<void> {
  const credential = await adapter.findOne<{ password: string | null }>({
    model: 'account',
    where: [
      { field: 'userId', value: session.userId },
      { field: 'providerId', value: 'credential' },
    ],
  });
  if (credential?.password === judgedHash) return;
  await adapter.delete({ model: 'session', where: [{ field: 'id', value: session.id }] });
  throw replacedPassword();
}

function replacedPassword(): ApiError {
  return new ApiError('unauthorized', 'The password was replaced at this moment: sign in with the new one.');
}
