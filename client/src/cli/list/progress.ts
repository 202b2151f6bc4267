/** The progress of a list: a bar on a terminal, a line at times elsewhere. */
import type { Session } from '../session.ts';

const BAR_WIDTH = 24;
const REDRAW_MS = 100;
const LINE_MS = 10_000;

/** Formats a count with separators of thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a duration: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

export class Progress {
  readonly #session: Session;
  readonly #isShown: boolean;
  readonly #total: number | null;
  readonly #startedAt = performance.now();
  #shownAt = performance.now();
  #done: number;
  readonly #first: number;

  /** `first` rows are stored from an earlier run. */
  constructor(session: Session, isShown: boolean, total: number | null, first: number) {
    this.#session = session;
    this.#isShown = isShown;
    this.#total = total;
    this.#first = first;
    this.#done = first;
  }

  get done(): number {
    return this.#done;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Counts a row. */
  add(): void {
    this.#done += 1;
    const now = performance.now();
    if (now - this.#shownAt < (this.#session.stderr.isTTY ? REDRAW_MS : LINE_MS)) return;
    this.#shownAt = now;
    this.#show(this.#formatLine());
  }

  /** Shows that the run waits. */
  wait(reason: string, delayMs: number): void {
    const text = `${this.#formatLine()} · waiting ${formatDuration(delayMs)}: ${reason}`;
    if (delayMs >= 2_000 || this.#session.stderr.isTTY) this.#show(text);
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#isShown && this.#session.stderr.isTTY) this.#session.stderr.write('\r\u001b[K');
  }

  #formatLine(): string {
    const total = this.#total;
    if (total === null || total === 0) return `${formatCount(this.#done)} rows`;
    const count = `${formatCount(this.#done)} of ${formatCount(total)} rows`;
    const rate = (this.#done - this.#first) / this.elapsedMs;
    const left = rate > 0 ? ` · ${formatDuration((total - this.#done) / rate)} left` : '';
    return `${this.#formatBar(this.#done / total)}${count}${left}`;
  }

  #formatBar(part: number): string {
    if (!this.#session.stderr.isTTY) return '';
    const full = Math.round(Math.min(1, part) * BAR_WIDTH);
    const percent = String(Math.floor(part * 100)).padStart(3);
    return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${percent} % `;
  }

  #show(text: string): void {
    const { stderr, note } = this.#session;
    if (!this.#isShown) return;
    if (stderr.isTTY) stderr.write(`\r\u001b[K${text.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
    else note(text);
  }
}
