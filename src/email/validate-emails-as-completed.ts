import { hasTurnTime } from '#concurrency';
import { openBatchLookups } from './batch-lookups.ts';
import type { EmailReport, ValidateEmailRequest } from './email-report.ts';
import { validateEmail, type ValidateEmailDeps } from './validate-email.ts';
import { DEFAULT_CONCURRENCY, type ValidateEmailsOptions, waitForTurn } from './validate-emails.ts';

/** A report with the index of its request, counted from 0. */
export interface CompletedReport extends EmailReport {
  index: number;
}

/** Addresses that may wait for the same few lookups: a batch with all its addresses at one slow domain. */
const MAX_PENDING_REPORTS = 1000;

/**
 * Validates many addresses as `validateEmails` does, but yields each report as soon as it is done, so that a
 * slow domain does not hold back the others. `concurrency` bounds the pending lookups, not the addresses.
 */
export async function* validateEmailsAsCompleted(
  requests: Iterable<ValidateEmailRequest> | AsyncIterable<ValidateEmailRequest>,
  deps: ValidateEmailDeps,
  options: ValidateEmailsOptions = {},
): AsyncGenerator<CompletedReport, void, undefined> {
  const concurrency = Math.max(1, options.concurrency ?? DEFAULT_CONCURRENCY);
  const leaving = new AbortController();
  const signal =
    options.signal === undefined ? leaving.signal : AbortSignal.any([options.signal, leaving.signal]);
  const lookups = openBatchLookups(deps);
  const queue = new CompletionQueue();
  let index = 0;
  try {
    for await (const request of requests) {
      if (!hasTurnTime()) await waitForTurn();
      queue.add(validateEmail(request, lookups.deps, signal), index);
      index += 1;
      yield* queue.takeCompleted();
      while (lookups.countPending() >= concurrency || queue.pending >= MAX_PENDING_REPORTS) {
        await queue.waitForNext();
        yield* queue.takeCompleted();
      }
    }
    while (queue.pending > 0) {
      await queue.waitForNext();
      yield* queue.takeCompleted();
    }
  } finally {
    leaving.abort();
  }
}

/** The reports that are pending, and those that are done and not yet taken. */
class CompletionQueue {
  /** The number of reports that are not done. */
  pending = 0;
  #completed: CompletedReport[] = [];
  #failure: { error: unknown } | null = null;
  #wake: () => void = () => {};

  add(report: EmailReport | Promise<EmailReport>, index: number): void {
    if (!(report instanceof Promise)) {
      this.#completed.push({ ...report, index });
      return;
    }
    this.pending += 1;
    report.then(
      (done) => this.#end(() => this.#completed.push({ ...done, index })),
      (error: unknown) => this.#end(() => (this.#failure ??= { error })),
    );
  }

  /** Takes the reports that are done. Yields to the event loop as `validateEmails` does. */
  async *takeCompleted(): AsyncGenerator<CompletedReport, void, undefined> {
    const completed = this.#completed;
    this.#completed = [];
    for (const report of completed) {
      if (!hasTurnTime()) await waitForTurn();
      yield report;
    }
  }

  /** Waits until a report is done that was not taken. Throws the error of the first one that failed. */
  async waitForNext(): Promise<void> {
    if (this.#completed.length === 0 && this.#failure === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#failure !== null) throw this.#failure.error;
  }

  #end(record: () => void): void {
    this.pending -= 1;
    record();
    this.#wake();
  }
}
