import { continueInTurn, hasTurnTime } from '#concurrency';
import { LRUCache } from 'lru-cache';
import type { EmailReport } from './email-report.ts';
import type { ValidateEmailRequest } from './email-options.ts';
import { type ValidateEmailDeps, validateEmail } from './validate-email.ts';

/** Options of a batch. */
export interface ValidateEmailsOptions {
  /** Addresses in progress at a time, 1 or more; each waits for its lookups only. */
  concurrency?: number;
  /** Cancels the batch: pending lookups are canceled and the iteration throws the signal's reason. */
  signal?: AbortSignal;
}

const DEFAULT_CONCURRENCY = 64;

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
  const pending: Promise<EmailReport>[] = [];
  try {
    for await (const request of requests) {
      if (!hasTurnTime()) await waitForTurn();
      const report = validateEmail(request, batchDeps, signal);
      // A loop that is left early awaits none of the rest: their rejections must not count as unhandled.
      report.catch(ignoreRejection);
      pending.push(report);
      if (pending.length >= concurrency) yield pending.shift() as Promise<EmailReport>;
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
function waitForTurn(): Promise<void> {
  return new Promise((resolve) => continueInTurn(resolve));
}

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
    yield* queue.takeCompleted();
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

  add(report: Promise<EmailReport>, index: number): void {
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

type LookUp<T extends object> = (name: string, signal?: AbortSignal, timeoutMs?: number) => Promise<T>;

/** The dependencies of a batch, whose lookups are cached, and how many of them are pending. */
interface BatchLookups {
  deps: ValidateEmailDeps;
  countPending: () => number;
}

/** Bounds the memory of a long batch. */
const MAX_CACHED_NAMES = 10_000;

/** Opens the lookups of a batch: each name is looked up once. */
function openBatchLookups(deps: ValidateEmailDeps): BatchLookups {
  let pending = 0;
  const track = (lookup: Promise<unknown>): void => {
    pending += 1;
    const end = (): void => void (pending -= 1);
    lookup.then(end, end);
  };
  const { lookupMail, lookupTxt } = deps;
  return {
    deps: {
      ...deps,
      lookupMail: cacheLookups(lookupMail, track),
      ...(lookupTxt && { lookupTxt: cacheLookups(lookupTxt, track) }),
    },
    countPending: () => pending,
  };
}

/** Caches lookups per name. Failed ones too, because the resolver has already retried them. */
function cacheLookups<T extends object>(
  lookUp: LookUp<T>,
  track: (lookup: Promise<unknown>) => void,
): LookUp<T> {
  // With `max`, a cache allocates all its places when it is created: milliseconds for a batch of few
  // addresses.
  const cache = new LRUCache<string, Promise<T>>({
    maxSize: MAX_CACHED_NAMES,
    sizeCalculation: () => 1,
  });
  return (name, ...limits) => {
    let facts = cache.get(name);
    if (facts === undefined) {
      facts = lookUp(name, ...limits);
      track(facts);
      cache.set(name, facts);
    }
    return facts;
  };
}
