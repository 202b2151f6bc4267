/** The process of `npm run --silent admin -- <command>`: settings → storage → one command → exit code. */
import { loadConfig } from '#config';
import { openStorage, type Storage } from '#storage';
import { runCli } from './run-cli.ts';

let storage: Storage | null = null;
const { stdout, stderr, exitCode } = await runCli(process.argv.slice(2), async () => {
  const { dataDir, plans } = loadConfig();
  storage = await openStorage({ dataDir, watchIntervalMs: 0 });
  const { accounts, keys, access } = storage;
  return { accounts, keys, access, plans, dataDir, now: Date.now };
});
await (storage as Storage | null)?.close();
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
