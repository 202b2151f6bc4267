import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withRepository } from './with-repository.ts';
import type { History, HistoryName } from './histories.ts';

/** The changes of a list by one commit; a pull request counts as one. */
export interface Change {
  /** The day of the commit: `2026-08-21`. */
  date: string;
  /** The first words of its message. */
  message: string;
  added: string[];
  removed: string[];
}

export type Histories = Record<HistoryName, readonly Change[]>;

/** Marks of the log, which no line of a list has. */
const COMMIT = '\u0001';
const END = '\u0003';
const MESSAGE_LENGTH = 200;
/** A name in a line: lists have one name per line, or arrays of JSON. */
const NAME = /[^\s"',[\]{}:@]+\.[^\s"',[\]{}:@]+/g;

/** Loads histories from the folder of inputs. Those that are missing are read from their repositories. */
export async function loadHistories<Name extends string>(
  folder: string,
  histories: Record<Name, History>,
): Promise<Record<Name, readonly Change[]>> {
  mkdirSync(folder, { recursive: true });
  const loaded: Partial<Record<Name, readonly Change[]>> = {};
  for (const name of Object.keys(histories) as Name[]) {
    const history = histories[name];
    const { repository, commit, files } = history;
    const path = getHistoryPath(folder, name, history);
    if (!existsSync(path)) {
      console.log(`reading the history of ${files.join(', ')} of ${repository}`);
      await withRepository(repository, commit, 'history', (clone) => writeHistory(path, history, clone));
    }
    loaded[name] = parseChanges(readFileSync(path, 'utf8'));
  }
  return loaded as Record<Name, readonly Change[]>;
}

/** Lists the histories that are not in the folder of inputs. */
export function listMissingHistories(folder: string, histories: Record<string, History>): string[] {
  return Object.entries(histories)
    .filter(([name, history]) => !existsSync(getHistoryPath(folder, name, history)))
    .map(([name]) => name);
}

/** Returns the path of the changes of a list in the folder of inputs. */
export function getHistoryPath(folder: string, name: string, { commit }: History): string {
  return join(folder, `${name}-${commit.slice(0, 12)}.history`);
}

/** Writes the changes of a list, read from a clone of its repository. */
export async function writeHistory(path: string, history: History, clone: string): Promise<void> {
  const patches = ['-p', '-U0', '--first-parent', '--diff-merges=first-parent', '--no-renames', '--no-color'];
  const args = ['-C', clone, 'log', '--reverse', ...patches, `--format=${COMMIT}%cs %s %b${END}`];
  const log = spawn('git', [...args, history.commit, '--', ...history.files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const changes = await collectChanges(createInterface({ input: log.stdout, crlfDelay: Infinity }));
  if (changes.length === 0)
    throw new Error(`${history.repository} has no history of ${history.files.join(', ')}`);
  writeFileSync(path, formatChanges(changes));
}

/**
 * Collects the changes of a log of patches. A name that a list has twice is added by the first line and
 * removed with the last; what a commit only moves is no change.
 */
export async function collectChanges(lines: AsyncIterable<string> | Iterable<string>): Promise<Change[]> {
  const counts = new Map<string, number>();
  const changes: Change[] = [];
  let head: string | null = null;
  let isInMessage = false;
  let deltas = new Map<string, number>();
  const close = (): void => {
    if (head !== null) changes.push(closeChange(head, deltas, counts));
    deltas = new Map();
  };
  for await (const line of lines) {
    if (line.startsWith(COMMIT)) {
      close();
      head = line.slice(1);
      isInMessage = true;
    } else if (isInMessage) head += ` ${line}`;
    else countNames(line, deltas);
    if (isInMessage && line.includes(END)) isInMessage = false;
  }
  close();
  return changes.filter(({ added, removed }) => added.length + removed.length > 0);
}

function countNames(line: string, deltas: Map<string, number>): void {
  if (!/^[+-](?![+-]{2} )/.test(line)) return;
  const sign = line.startsWith('+') ? 1 : -1;
  const text = line
    .slice(1)
    .toLowerCase()
    .replace(/[#/].*/, '');
  for (const [name] of text.matchAll(NAME)) deltas.set(name, (deltas.get(name) ?? 0) + sign);
}

function closeChange(head: string, deltas: Map<string, number>, counts: Map<string, number>): Change {
  const added: string[] = [];
  const removed: string[] = [];
  for (const [name, delta] of deltas) {
    const before = counts.get(name) ?? 0;
    const after = Math.max(0, before + delta);
    counts.set(name, after);
    if (before === 0 && after > 0) added.push(name);
    if (before > 0 && after === 0) removed.push(name);
  }
  const message = head.slice(11).replaceAll(END, '').replace(/\s+/g, ' ').trim();
  return { date: head.slice(0, 10), message: message.slice(0, MESSAGE_LENGTH), added, removed };
}

function formatChanges(changes: readonly Change[]): string {
  const blocks = changes.map(({ date, message, added, removed }) =>
    [`@${date} ${message}`, ...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)].join(
      '\n',
    ),
  );
  return `${blocks.join('\n')}\n`;
}

function parseChanges(text: string): Change[] {
  const changes: Change[] = [];
  for (const line of text.split('\n')) {
    const last = changes.at(-1);
    if (line.startsWith('@'))
      changes.push({ date: line.slice(1, 11), message: line.slice(12), added: [], removed: [] });
    else if (line.startsWith('+')) last?.added.push(line.slice(1));
    else if (line.startsWith('-')) last?.removed.push(line.slice(1));
  }
  return changes;
}
