/** One run of the program: its streams, environment and signals. */
import { Interrupted, type ExitCode, EXIT } from './exit-codes.ts';
import { createStyle, hasColors, type Style } from './style.ts';

export interface Session {
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Colors of standard output and of standard error. */
  style: Style;
  errorStyle: Style;
  /** Aborted with Interrupted by a signal that ends the program. */
  signal: AbortSignal;
  /** Writes to standard output. Rejects with EPIPE if its reader has closed it. */
  write(text: string | Uint8Array): Promise<void>;
  /** Writes a line for people to standard error. */
  note(line: string): void;
}

/** Signals come twice if npm runs the program: from the terminal and from npm. */
const SECOND_SIGNAL_MS = 1_000;
/** A read of a pipe or a slow disk cannot be aborted. */
const MAX_CLOSING_MS = 3_000;

/** Opens the session of this process. */
export function openSession(): Session {
  const { stdin, stdout, stderr, env } = process;
  const abort = new AbortController();
  // Its errors reach `write`.
  stdout.on('error', () => {});
  // A closed standard error must not end a list in the midst.
  stderr.on('error', () => {});
  // Ends a wait for standard input with the reason of the signal.
  stdin.on('error', () => {});
  abort.signal.addEventListener('abort', () => stdin.destroy(abort.signal.reason as Error));
  handleSignals(abort);
  return {
    env,
    stdin,
    stdout,
    stderr,
    style: createStyle(hasColors(stdout, env)),
    errorStyle: createStyle(hasColors(stderr, env)),
    signal: abort.signal,
    note: (line) => void stderr.write(`${line}\n`),
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

function handleSignals(abort: AbortController): void {
  let firstAt: number | undefined;
  const on = (name: NodeJS.Signals, exitCode: ExitCode): void =>
    void process.on(name, () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > SECOND_SIGNAL_MS) process.exit(exitCode);
      abort.abort(new Interrupted(exitCode));
      setTimeout(() => process.exit(exitCode), MAX_CLOSING_MS).unref();
    });
  on('SIGINT', EXIT.interrupted);
  on('SIGTERM', EXIT.terminated);
}
