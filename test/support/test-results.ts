/** The results of tests, by file: a later run can replace the results of a file. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';

type Outcome = 'suites' | 'pass' | 'fail' | 'cancelled' | 'skipped' | 'todo';

interface Result {
  name: string;
  outcome: Outcome;
  isFailed: boolean;
}

/** The kinds of failures that the runner counts under `cancelled`. */
const CANCELLED = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure']);

/** A line of the runner's own totals. */
const TOTAL = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

export class TestResults {
  readonly #byFile = new Map<string, Result[]>();
  /** Results of the suite that the runner reports now: its own result comes last. */
  #open: Result[] = [];

  /** Records what an event of the runner says. */
  add({ type, data }: TestEvent): void {
    if (type !== 'test:pass' && type !== 'test:fail') return;
    this.#open.push(readResult(type, data));
    if (data.nesting > 0) return;
    const file = findFile(data);
    this.#byFile.set(file, [...(this.#byFile.get(file) ?? []), ...this.#open]);
    this.#open = [];
  }

  /** Returns the files with tests or hooks that failed, in the order of the run. */
  listFailedFiles(): string[] {
    return [...this.#byFile]
      .filter(([, results]) => results.some(({ isFailed }) => isFailed))
      .map(([file]) => file);
  }

  /** Returns the names of the tests of a file that failed. */
  listFailures(file: string): string[] {
    return (this.#byFile.get(file) ?? []).filter(({ isFailed }) => isFailed).map(({ name }) => name);
  }

  /** Replaces the results of files by those of a later run of these files. */
  replace(files: readonly string[], later: TestResults): void {
    for (const file of files) this.#byFile.delete(file);
    for (const [file, results] of later.#byFile) this.#byFile.set(file, results);
  }

  /** Returns the lines of the runner's totals. */
  formatTotals(durationMs: number): string[] {
    const results = [...this.#byFile.values()].flat();
    const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
    const outcomes = ['suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const;
    return [
      `tests ${results.length - count('suites')}`,
      ...outcomes.map((outcome) => `${outcome} ${count(outcome)}`),
      `duration_ms ${durationMs}`,
    ];
  }
}

/** Returns whether an event is a part of the summary that the runner writes at the end of a run. */
export function isSummary({ type, data }: TestEvent): boolean {
  if (type === 'test:summary') return data.file === undefined;
  return type === 'test:diagnostic' && data.nesting === 0 && TOTAL.test(data.message);
}

function readResult(type: 'test:pass' | 'test:fail', data: EventData.TestPass | EventData.TestFail): Result {
  const { name, details, skip, todo } = data;
  const { failureType } = ('error' in details ? details.error : {}) as { failureType?: string };
  const isFailed = type === 'test:fail' && todo === undefined;
  let outcome: Outcome = type === 'test:pass' ? 'pass' : 'fail';
  if (details.type === 'suite') outcome = 'suites';
  else if (skip !== undefined) outcome = 'skipped';
  else if (todo !== undefined) outcome = 'todo';
  else if (CANCELLED.has(failureType ?? '')) outcome = 'cancelled';
  return { name, outcome, isFailed: isFailed && failureType !== 'subtestsFailed' };
}

/** Returns the file of a result at the top: the suite of a group is named for its file. */
function findFile(data: EventData.TestPass | EventData.TestFail): string {
  const { name, file, entryFile } = data;
  const isFile = /\.test\.\w+$/.test(name) && existsSync(name);
  return relative('', resolve(isFile ? name : (entryFile ?? file ?? name)));
}
