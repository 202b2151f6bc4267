/** A process that creates keys in the folder given until it is killed or refused, and prints each secret once it is stored. */
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
    // Not buffered: what was printed was stored before.
    writeSync(1, `${secret}\n`);
  }
} catch (error) {
  const { status, retryAfterSeconds } = error as ApiError;
  const isTold = error instanceof ApiError;
  // Reading goes on where writing does not.
  const accounts = await storage.accounts.listAccounts({ limit: 1, nowMs: Date.now() });
  writeSync(1, `refused ${isTold} ${status} ${retryAfterSeconds} ${accounts.length}\n`);
}
await storage.close();
