import { continueInTurn, hasTurnTime } from '#concurrency';
import { openBatchLookups } from './batch-lookups.ts';
import type { EmailReport, ValidateEmailRequest } from './email-report.ts';
import { validateEmail, type ValidateEmailDeps } from './validate-email.ts';

/** Options of a batch. */
export interface ValidateEmailsOptions {
  /** Addresses in progress at once, 1 or more; each waits for its lookups only. */
  concurrency?: number;
  /** Cancels the batch: pending lookups are canceled and the iteration throws the signal's reason. */
  signal?: AbortSignal;
}

export const DEFAULT_CONCURRENCY = 64;

/**
 * Validates many addresses. Yields one report per request, in the order of the requests, as soon as all
 * before it are done. Looks up each domain once, and reads at most `concurrency` requests ahead. Yields to
 * the event loop every few milliseconds, which include the caller's work per report. Leaving the loop early
 * cancels pending lookups.
 */
export async function* validateEmails(
  requests: Iterable<ValidateEmailRequest> | AsyncIterable<ValidateEmailRequest>,
  deps: ValidateEmailDeps,
  options: ValidateEmailsOptions = {},
): AsyncGenerator<EmailReport, void, undefined> {
  const concurrency = Math.max(1, options.concurrency ?? DEFAULT_CONCURRENCY);
  const leaving = new AbortController();
  const signal =
    options.signal === undefined ? leaving.signal : AbortSignal.any([options.signal, leaving.signal]);
  const { deps: batchDeps } = openBatchLookups(deps);
  const pending: (EmailReport | Promise<EmailReport>)[] = [];
  try {
    for await (const request of requests) {
      if (!hasTurnTime()) await waitForTurn();
      const report = validateEmail(request, batchDeps, signal);
      // A loop that is left early awaits none of the rest: their rejections must not count as unhandled.
      if (report instanceof Promise) report.catch(ignoreRejection);
      pending.push(report);
      if (pending.length >= concurrency) yield pending.shift() as EmailReport | Promise<EmailReport>;
    }
    for (const report of pending) {
      if (!hasTurnTime()) await waitForTurn();
      yield report;
    }
  } finally {
    leaving.abort();
  }
}

function ignoreRejection(): void {}

/** Waits for the next turn of the event loop. */
export function waitForTurn(): Promise<void> {
  return new Promise(continueInTurn);
}
