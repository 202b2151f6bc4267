/**
 * A process that resets the passwords of the given links, and prints a line after each, until killed.
 */
import { writeSync } from 'node:fs';
import { openStorage } from '#storage';

const [dataDir = '', ...tokenHashes] = process.argv.slice(2);
const storage = await openStorage({ dataDir, watchIntervalMs: 0 });
for (const tokenHash of tokenHashes) {
  const reset = { tokenHash, passwordHash: 'new', requestId: 'r', ip: null, nowMs: Date.now() };
  const result = await storage.access.resetPassword(reset);
  writeSync(1, `${result?.keysRevoked}\n`);
}
await storage.close();
