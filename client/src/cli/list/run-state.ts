/** The files of an unfinished output, and the facts of the run that began it. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CliError, EXIT } from '../exit-codes.ts';

/** The facts that must be the same for a run that continues another one. */
export interface RunFacts {
  /** The SHA-256 of the list; null for a stream, after which no run continues. */
  input: string | null;
  /** The options that change the output. */
  options: unknown;
}

/** Names the files of an unfinished output. */
export function nameUnfinished(path: string): { rows: string; state: string; lock: string } {
  return { rows: `${path}.part`, state: `${path}.part.json`, lock: `${path}.part.lock` };
}

/** True if an earlier run of the same facts has left rows. Throws CliError if its facts were others. */
export function checkState(path: string, names: { rows: string; state: string }, facts: RunFacts): boolean {
  if (!existsSync(names.rows)) return false;
  const stored = parseState(names.state);
  const begin = `pass --force to begin ${path} again.`;
  if (facts.input === null)
    throw new CliError(EXIT.usage, `${names.rows} is unfinished, and a stream cannot continue it: ${begin}`);
  if (stored?.input !== facts.input)
    throw new CliError(
      EXIT.usage,
      `The list has changed since ${names.rows} was begun: restore it to continue, or ${begin}`,
    );
  if (JSON.stringify(stored.options) !== JSON.stringify(facts.options))
    throw new CliError(
      EXIT.usage,
      `${names.rows} was begun with other flags: repeat them to continue, or ${begin}`,
    );
  return true;
}

function parseState(path: string): Partial<RunFacts> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<RunFacts>;
  } catch {
    return undefined;
  }
}

/** Stores the facts of a run. The file is replaced as a whole. */
export function writeState(path: string, facts: RunFacts): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(facts)}\n`, { flag: 'wx' });
  renameSync(draft, path);
}
