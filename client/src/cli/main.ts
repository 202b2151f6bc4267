#!/usr/bin/env node
/** The process of the command line `utility-api`. */
import { runCli } from './run-cli.ts';
import { openSession } from './session.ts';

const session = openSession();
const exitCode = await runCli(process.argv.slice(2), session);
// What is written must arrive before the exit; a stream that is closed calls back with an error.
await Promise.all(
  [session.stdout, session.stderr].map(
    (stream) => new Promise<void>((resolve) => void stream.write('', () => resolve())),
  ),
);
// Standard input or a connection may still be open.
process.exit(exitCode);
