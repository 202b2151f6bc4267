/** Runs the command line: as a process of its own, or within this one, which takes a tenth of the time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCli } from '../src/cli/run-cli.ts';
import { createStyle } from '../src/cli/style.ts';

/** The path of the program. */
export const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

export interface RunOptions {
  env?: Record<string, string>;
  /** Standard input; empty by default. */
  input?: string | Uint8Array;
  cwd?: string;
  /** True for a terminal as standard output; only of `runHere`. */
  isTerminal?: boolean;
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the program with no variables but PATH, HOME and those of `env`. */
export function startProgram(
  words: readonly string[],
  { env = {}, input = '', cwd }: RunOptions,
): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const program = spawn(process.execPath, [MAIN, ...words], {
    cwd,
    env: { PATH, HOME: '/nonexistent', ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...env },
  });
  program.stdin.on('error', () => {});
  program.stdin.end(input);
  return program;
}

/** Runs the program to its end. */
export async function runProgram(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return finish(startProgram(words, options));
}

/** Runs the program in this process, without its streams and signals. */
export async function runHere(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { env = {}, input = '', isTerminal = false } = options;
  const result = { stdout: '', stderr: '' };
  const plain = createStyle(false);
  const stream = { isTTY: false } as NodeJS.WriteStream;
  const code = await runCli(words, {
    env: { HOME: '/nonexistent', ...env },
    stdin: Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream,
    stdout: { isTTY: isTerminal } as NodeJS.WriteStream,
    stderr: stream,
    style: plain,
    errorStyle: plain,
    signal: new AbortController().signal,
    write: async (text) => void (result.stdout += String(text)),
    note: (line) => void (result.stderr += `${line}\n`),
  });
  return { code, ...result };
}

/** Waits for the end of a program. */
export async function finish(program: ChildProcess): Promise<RunResult> {
  const { stdout, stderr } = program;
  if (!stdout || !stderr) throw new Error('the program has no streams');
  const [out, err] = await Promise.all([text(stdout), text(stderr), once(program, 'close')]);
  return { code: program.exitCode, stdout: out, stderr: err };
}

/** Creates a folder that is removed at the end of the block. */
export function createFolder(): Disposable & { path: string; at: (name: string) => string } {
  const path = mkdtempSync(join(tmpdir(), 'utility-api-cli-'));
  return {
    path,
    at: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
