import type { Session } from '../session.ts';
import { toPlainText } from '../plain-text.ts';
import { formatCount, formatDuration } from './progress.ts';

/** The outcome of rows with an empty value, as people read it. */
const EMPTY = 'empty';

/** Counts the outcomes of all rows of an output, rows of earlier runs included. */
export class Summary {
  readonly #noun: string;
  readonly #counts = new Map<string, number>();
  #repeated = 0;
  #suggestions = 0;
  #stored = 0;
  #rows = 0;

  constructor(noun: string) {
    this.#noun = noun;
  }

  get rows(): number {
    return this.#rows;
  }

  get outcomes(): string[] {
    return [...this.#counts.keys()];
  }

  addStored(outcome: string): void {
    this.#stored += 1;
    this.#count(outcome);
  }

  add(outcome: string, facts: { isRepeated: boolean; hasSuggestion: boolean }): void {
    if (facts.isRepeated) this.#repeated += 1;
    if (facts.hasSuggestion) this.#suggestions += 1;
    this.#count(outcome);
  }

  /** Prints the summary to standard error. */
  print({ note, errorStyle: style }: Session, path: string | undefined, elapsedMs: number): void {
    const target = path === undefined || path === '-' ? '' : ` → ${path}`;
    const { length: width } = formatCount(Math.max(0, ...this.#counts.values()));
    note(
      `${style('bold', `${formatCount(this.#rows)} ${choose(this.#rows, 'row', 'rows')}`)} in ${formatDuration(elapsedMs)}${target}`,
    );
    for (const [outcome, count] of [...this.#counts].toSorted((one, other) => other[1] - one[1]))
      note(`  ${formatCount(count).padStart(width)} ${toPlainText(outcome || EMPTY)}`);
    const isPart = this.#stored > 0 ? ' in this run' : '';
    const have = choose(this.#suggestions, 'has', 'have');
    if (this.#suggestions > 0) note(`${formatCount(this.#suggestions)} ${have} a suggestion${isPart}.`);
    if (this.#repeated > 0)
      note(
        `${formatCount(this.#repeated)} ${choose(this.#repeated, `repeats ${this.#noun} and was`, `repeat ${this.#noun} and were`)} not sent again${isPart}.`,
      );
  }

  #count(outcome: string): void {
    this.#rows += 1;
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }
}

/** Returns `one` for a count of 1, else `many`. */
function choose(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
