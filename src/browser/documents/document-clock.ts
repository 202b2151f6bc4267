import { resolvesWithin } from '#concurrency';
import type { Page } from '../pages/page.ts';
import type { AdvanceLimits } from '../pages/virtual-time.ts';
import { delay } from './document-start-script.ts';

/** The requests of a document. */
export interface PendingRequests {
  readonly inFlight: number;
  /** Requests made so far. */
  readonly started: number;
}

/** The limits of the wait for a document. */
export interface DocumentLimits {
  /** Milliseconds of real time from now, after which the document is used as it is. */
  settleMs: number;
  /** Milliseconds up to which that is extended while the pages of the document are laid out. */
  longestSettleMs?: number;
  /** Milliseconds; only differences count. */
  now: () => number;
  /**
   * The reaction to requests that have had no response for some seconds. `end`: the document is used as it
   * is. `pass`: the document's time goes on without them, because the caller waits for something in it.
   * `wait`: the wait goes on, because the requests have a limit of their own.
   */
  onNoResponse: 'end' | 'pass' | 'wait';
}

const STEP_MS = 1_000;
/** Messages between a document and its workers take real time, and short steps give them that time. */
const WORKER_STEP_MS = 50;
/** The step while time passes as fast as real time: a response is noticed after it. */
const REAL_STEP_MS = 50;
/**
 * The wait for a loaded document ends if its requests have had no response at this many checks of the clock,
 * which are a second apart.
 */
const MAX_CHECKS_WITHOUT_RESPONSE = 4;
const RESPONSE_MS = 100;
/** The real time of a document is extended by this while its pages are laid out. */
const EXTENSION_MS = 500;

/** The time of a document, which passes only in `advance`, and the real time that the document is given. */
export class DocumentClock {
  /** The load event has fired. Requests that hang before it are waited for. */
  isLoaded = false;
  /**
   * Time passes although requests are in flight: they have had no response for long, and the caller waits for
   * something in the document. It passes as fast as real time, until one has a response.
   */
  isRealTime = false;
  readonly #page: Page;
  readonly #requests: PendingRequests;
  readonly #limits: AdvanceLimits;
  readonly #now: () => number;
  readonly #onNoResponse: DocumentLimits['onNoResponse'];
  #settleAt: number;
  readonly #latestSettleAt: number;
  /** The document's time so far. */
  #passedMs = 0;
  /** The responses at the last check, and the number of checks since the last response. */
  #responses = { count: 0, checks: 0 };

  constructor(page: Page, requests: PendingRequests, limits: DocumentLimits) {
    const { settleMs, longestSettleMs = settleMs, now, onNoResponse } = limits;
    this.#page = page;
    this.#requests = requests;
    this.#now = now;
    this.#onNoResponse = onNoResponse;
    this.#settleAt = now() + settleMs;
    this.#latestSettleAt = now() + Math.max(settleMs, longestSettleMs);
    this.#limits = { getLimitMs: this.#getRemainingMs, isBusy: () => this.#isBusy() };
  }

  /** False if the document was not idle within its real time: it is used as it is. */
  get isInTime(): boolean {
    return this.#getRemainingMs() > 0;
  }

  /** Stops the document's time at `epochMs`. Returns the same as VirtualTime.start. */
  start(epochMs: number): Promise<number> {
    return this.#page.time.start(epochMs, this.#limits);
  }

  /** Lets `ms` of the document's time pass. Returns false if its real time is over. */
  async advance(ms: number): Promise<boolean> {
    for (let left = ms; left > 0;) {
      if (this.isRealTime) this.#checkRealTime();
      const step = Math.min(left, this.#computeStepMs());
      if (!(await this.#page.time.advance(step, this.#limits))) return false;
      if (this.isRealTime) await delay(step);
      if (this.#page.workers.count > 0)
        await resolvesWithin(this.#page.workers.ping(), this.#getRemainingMs());
      left -= step;
      this.#passedMs += step;
    }
    return this.isInTime;
  }

  /** Lets time pass to the next multiple of `ms`. Returns false if its real time is over. */
  advanceToMultiple(ms: number): Promise<boolean> {
    return this.advance(ms - (this.#passedMs % ms));
  }

  /** Waits for requests again as soon as one has a response. */
  #checkRealTime(): void {
    const { started, inFlight } = this.#requests;
    if (inFlight > 0 && started - inFlight === this.#responses.count) return;
    this.isRealTime = false;
    this.#responses = { count: started - inFlight, checks: 0 };
    this.#page.time.awaitsRequests = true;
  }

  #computeStepMs(): number {
    if (this.isRealTime) return REAL_STEP_MS;
    return this.#page.workers.count > 0 ? WORKER_STEP_MS : STEP_MS;
  }

  /** Checks whether a request is in flight, or a thread of the document does not respond. */
  async #isBusy(): Promise<boolean> {
    if (this.#requests.inFlight > 0) {
      this.#checkResponses();
      return true;
    }
    const responses = Promise.all([this.#page.evaluate('0'), this.#page.workers.ping()]);
    return !(await resolvesWithin(responses, RESPONSE_MS));
  }

  /** Ends the document's time if its requests hang, lets it pass without them, or waits. */
  #checkResponses(): void {
    const count = this.#requests.started - this.#requests.inFlight;
    const checks = this.isLoaded && count === this.#responses.count ? this.#responses.checks + 1 : 0;
    this.#responses = { count, checks };
    if (checks < MAX_CHECKS_WITHOUT_RESPONSE || this.#onNoResponse === 'wait') return;
    if (this.#onNoResponse === 'end') this.#settleAt = this.#now();
    else if (!this.isRealTime) {
      this.isRealTime = true;
      this.#page.time.awaitsRequests = false;
    }
  }

  readonly #getRemainingMs = (): number => {
    const now = this.#now();
    if (this.#settleAt <= now && this.#page.isLayingOut())
      this.#settleAt = Math.min(this.#latestSettleAt, now + EXTENSION_MS);
    return Math.max(0, this.#settleAt - now);
  };
}
