/**
 * The command line for operators: accounts, keys, plans, lists of domains, backups. `main.ts` is the process
 * behind `npm run admin`. It opens the database of the server, which may be running. All other files get the
 * clock and the settings as arguments.
 */
export { runCli } from './run-cli.ts';
export type { CliResult } from './run-cli.ts';
