/**
 * A process that resets the passwords of the given link tokens, and prints a line after each, until killed.
 */
import { writeSync } from 'node:fs';
import { openStorage } from '#storage';

const [dataDir = '', ...tokens] = process.argv.slice(2);
const storage = await openStorage({ dataDir, watchIntervalMs: 0 });
for (const token of tokens) {
  const reset = { token, passwordHash: 'new', requestId: 'r', nowMs: Date.now() };
  const result = await storage.access.resetPassword(reset);
  writeSync(1, `${result?.keysRevoked}\n`);
}
await storage.close();
