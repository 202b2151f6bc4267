/** A process that creates keys in the given folder and prints each stored secret, until killed or refused. */
import { writeSync } from 'node:fs';
import { createKey, findOrCreateAccount } from '#accounts';
import { ApiError } from '#errors';
import { openStorage } from '#storage';

const [dataDir = '', rounds = '1000000'] = process.argv.slice(2);
const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
const storage = await openStorage({ dataDir, watchIntervalMs: 0 });
writeSync(1, 'open\n');
try {
  for (let n = 0; n < Number(rounds); n++) {
    // An account holds 20 keys.
    const email = `writer${process.pid}-${Math.floor(n / 20)}@example.com`;
    const account = await findOrCreateAccount(storage.accounts, plans, { email }, Date.now());
    const { secret } = await createKey(
      storage.keys,
      { accountId: account.id, name: 'x'.repeat(100) },
      Date.now(),
    );
    // Not buffered: a secret is printed after it was stored.
    writeSync(1, `${secret}\n`);
  }
} catch (error) {
  const { status, retryAfterSeconds } = error as ApiError;
  const isApiError = error instanceof ApiError;
  // Reads succeed although writes fail.
  const accounts = await storage.accounts.listAccounts({ limit: 1, nowMs: Date.now() });
  writeSync(1, `refused ${isApiError} ${status} ${retryAfterSeconds} ${accounts.length}\n`);
}
await storage.close();
