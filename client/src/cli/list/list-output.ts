/** The output of a list: standard output, or a file that a later run continues. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import type { ListRow } from './list-input.ts';
import { toPlainLines } from '../plain-text.ts';
import { lockFile } from './lock-file.ts';
import { checkState, nameUnfinished, type RunFacts, writeState } from './run-state.ts';
import type { RowFormat } from './row-format.ts';
import { RecordSplitter } from './split-records.ts';

/** Rows go here, in their order. */
export interface ListOutput {
  /** True if a later run continues after an interruption. */
  canResume: boolean;
  /** Skips the rows of `rows` that are stored, and calls `onStored` with each of their outcomes. */
  resume(rows: AsyncIterator<ListRow, void>, onStored: (outcome: string) => void): Promise<void>;
  write(line: string): void | Promise<void>;
  /** Completes the output. */
  finish(): void;
  /** Closes the output as it is. */
  close(): void;
}

/** Opens standard output. A terminal gets no control characters: lists and pages come from strangers. */
export function openStreamOutput(session: Session, header: string | null): ListOutput {
  let isBegun = false;
  const write = async (line: string): Promise<void> => {
    const first = isBegun || header === null ? '' : `${header}\n`;
    isBegun = true;
    const text = `${first}${line}\n`;
    await session.write(session.stdout.isTTY ? toPlainLines(text) : text);
  };
  return { canResume: false, resume: async () => {}, write, finish: () => {}, close: () => {} };
}

const CHUNK_BYTES = 1 << 16;

/**
 * Opens a file for rows. They are in `<path>.part` until all are complete, so that `path` never has a part of
 * them. `<path>.part.json` has the facts of the run. The rows themselves say how many are done.
 */
export function openFileOutput(
  path: string,
  format: RowFormat<never>,
  facts: RunFacts,
  isForced: boolean,
): ListOutput {
  const names = nameUnfinished(path);
  const unlock = lockFile(names.lock, path);
  try {
    // Under the lock: another run may just have completed it.
    if (existsSync(path) && !isForced)
      throw new CliError(EXIT.usage, `${path} exists: pass --force to replace it.`);
    const isContinued = !isForced && checkState(path, names, facts);
    if (!isContinued) {
      rmSync(names.rows, { force: true });
      if (facts.input !== null) writeState(names.state, facts);
    }
    return new FileOutput(path, format, facts.input !== null, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

class FileOutput implements ListOutput {
  readonly canResume: boolean;
  readonly #path: string;
  readonly #format: RowFormat<never>;
  readonly #file: number;
  readonly #unlock: () => void;
  #position = 0;
  #isOpen = true;

  constructor(path: string, format: RowFormat<never>, canResume: boolean, unlock: () => void) {
    this.#path = path;
    this.#format = format;
    this.canResume = canResume;
    this.#unlock = unlock;
    const { rows } = nameUnfinished(path);
    this.#file = openSync(rows, existsSync(rows) ? 'r+' : 'wx+');
  }

  async resume(rows: AsyncIterator<ListRow, void>, onStored: (outcome: string) => void): Promise<void> {
    let isHeader = this.#format.header !== null;
    for (const { text, end } of this.#readStored()) {
      if (isHeader) {
        if (text !== this.#format.header) this.#failForeign();
        isHeader = false;
      } else {
        const { value: row } = await rows.next();
        if (!row || !text.startsWith(this.#format.formatPrefix(row))) return this.#failForeign();
        onStored(this.#parseOutcome(text));
      }
      this.#position = end;
    }
    // The rest is the beginning of a row that an interruption has cut.
    ftruncateSync(this.#file, this.#position);
    if (isHeader) this.write(this.#format.header ?? '');
  }

  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    for (let at = 0; at < bytes.length;) {
      const written = writeSync(this.#file, bytes, at, bytes.length - at, this.#position + at);
      at += written;
    }
    this.#position += bytes.length;
  }

  finish(): void {
    const { rows, state } = nameUnfinished(this.#path);
    fsyncSync(this.#file);
    renameSync(rows, this.#path);
    rmSync(state, { force: true });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#file);
    if (!this.canResume) rmSync(nameUnfinished(this.#path).rows, { force: true });
    this.#unlock();
  }

  *#readStored(): Generator<{ text: string; end: number }, void> {
    const splitter = new RecordSplitter(this.#format.delimiter);
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0, count = 0; (count = readSync(this.#file, chunk, 0, CHUNK_BYTES, at)) > 0; at += count)
      for (const { bytes, end } of splitter.push(Uint8Array.from(chunk.subarray(0, count))))
        yield { text: Buffer.from(bytes).toString(), end };
  }

  #parseOutcome(text: string): string {
    try {
      return this.#format.parseOutcome(text);
    } catch {
      return this.#failForeign();
    }
  }

  #failForeign(): never {
    const { rows } = nameUnfinished(this.#path);
    throw new CliError(
      EXIT.usage,
      `${rows} does not have the rows of this list: pass --force to begin ${this.#path} again.`,
    );
  }
}

/** True if rows can be stored at a path so that a later run continues: a new file or one on a disk. */
export function isStorable(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}
