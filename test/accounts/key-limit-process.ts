/** A process that creates and rotates keys of one account concurrently, and prints how many succeeded. */
import { writeSync } from 'node:fs';
import { createKey, isLiveKey, rotateKey, type ApiKey } from '#accounts';
import { openStorage } from '#storage';

const [dataDir = '', accountId = '', attempts = '0'] = process.argv.slice(2);
const storage = await openStorage({ dataDir, watchIntervalMs: 0 });
let [created, rotated, highest] = [0, 0, 0];

async function listLive(): Promise<ApiKey[]> {
  return (await storage.keys.listKeys(accountId)).filter((key) => isLiveKey(key, Date.now()));
}

/** Another task or process may rotate the same key first: then the next one is tried. */
const MAX_TRIES = 20;

async function attempt(n: number, triesLeft = MAX_TRIES): Promise<void> {
  const nowMs = Date.now();
  const live = await listLive();
  const rotatable = live.filter(({ rotatedTo }) => rotatedTo === null);
  const target = rotatable[n % Math.max(1, rotatable.length)];
  try {
    if (n % 3 === 0 || !target) {
      await createKey(storage.keys, { accountId, name: 'k' }, nowMs);
      created += 1;
    } else {
      await rotateKey(storage.keys, target, 7, nowMs);
      rotated += 1;
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'invalid_parameter') throw error;
    if (n % 3 !== 0 && triesLeft > 1) return attempt(n, triesLeft - 1);
  }
  highest = Math.max(highest, (await listLive()).length);
}

await Promise.all(Array.from({ length: Number(attempts) }, (_, n) => attempt(n)));
writeSync(1, JSON.stringify({ created, rotated, highest }));
await storage.close();
