/**
 * The acts of the dashboard for operators without a browser: accounts, keys, plans. `main.ts` is the process behind `npm run admin`.
 * Never reads the environment or the clock, never talks to a running server: both look at the same database.
 */
export { runCli } from './run-cli.ts';
export type { CliResult } from './run-cli.ts';
export type { CliContext } from './command.ts';
