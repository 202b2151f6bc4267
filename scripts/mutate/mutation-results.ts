/** The results of a run so far, in a file of JSON lines: a run that was interrupted continues from there. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Killer } from './find-killer.ts';
import type { Mutant } from './find-mutants.ts';
import type { MeasuredTest } from './measure-test.ts';

/** Mutants are stored as their positions in the list of the run. */
type Line =
  | { test: string; ms: number; executes: number[] }
  | { test: string; ms: null }
  | { mutant: number; killer: Killer | null };

export class MutationResults {
  /** The tests measured so far; null for those that fail without a mutant. */
  readonly tests = new Map<string, MeasuredTest | null>();
  readonly killers = new Map<Mutant, Killer | null>();
  readonly #path: string;
  readonly #mutants: readonly Mutant[];

  /** Loads the results of an earlier run with the same mutants of the same tree, if `path` exists. */
  constructor(path: string, mutants: readonly Mutant[]) {
    this.#path = path;
    this.#mutants = mutants;
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    // The last line may be cut off.
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    for (const line of lines) this.#apply(JSON.parse(line) as Line);
  }

  storeTest(file: string, test: MeasuredTest | null): void {
    this.#store(
      test === null
        ? { test: file, ms: null }
        : { test: file, ms: test.ms, executes: [...test.executes].map((one) => this.#mutants.indexOf(one)) },
    );
  }

  storeKiller(mutant: Mutant, killer: Killer | null): void {
    this.#store({ mutant: this.#mutants.indexOf(mutant), killer });
  }

  #store(line: Line): void {
    this.#apply(line);
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }

  #apply(line: Line): void {
    if ('mutant' in line) this.killers.set(this.#getMutant(line.mutant), line.killer);
    else if (line.ms === null) this.tests.set(line.test, null);
    else {
      const executes = new Set(line.executes.map((position) => this.#getMutant(position)));
      this.tests.set(line.test, { file: line.test, ms: line.ms, executes });
    }
  }

  #getMutant(position: number): Mutant {
    const mutant = this.#mutants[position];
    if (mutant === undefined) throw new Error(`${this.#path} is of another run: remove it`);
    return mutant;
  }
}
