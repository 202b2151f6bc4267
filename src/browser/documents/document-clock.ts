import { resolvesWithin } from '#concurrency';
import { PageLostError } from '../browser-errors.ts';
import type { Page } from '../pages/page.ts';
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

/** A clock that stands still is examined after this many waits of real time: after a second. */
const WAITS_PER_CHECK = 20;
const WAIT_MS = 50;
const STEP_MS = 1_000;
/** Messages between a document and its workers take real time, and short steps give them that time. */
const WORKER_STEP_MS = 50;
/** The first wait for a worker that may be closing. */
const CLOSING_MS = 20;
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
  readonly #now: () => number;
  readonly #onNoResponse: DocumentLimits['onNoResponse'];
  /** No time passes while requests are in flight. */
  #awaitsRequests = true;
  #settleAt: number;
  readonly #latestSettleAt: number;
  /** The time that has passed before it was due: see #awaitWorkers. */
  #earlyMs = 0;
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
  }

  /** False if the document was not idle within its real time: it is used as it is. */
  get isInTime(): boolean {
    return this.#getRemainingMs() > 0;
  }

  /**
   * Stops the document's time at `epochMs`. Returns the milliseconds to add to the time that the renderer
   * shows: below 0 if an earlier document has advanced it further.
   */
  async start(epochMs: number): Promise<number> {
    const leadMs = await this.#page.time.start(epochMs);
    if (leadMs < 0) await this.#pass(-leadMs);
    return Math.min(0, -leadMs);
  }

  /** Lets `ms` of the document's time pass. Returns false if its real time is over. */
  async advance(ms: number): Promise<boolean> {
    const early = this.#earlyMs;
    this.#earlyMs = Math.max(0, early - ms);
    for (let left = ms - early; left > 0;) {
      if (this.isRealTime) this.#checkRealTime();
      const step = Math.min(left, this.#computeStepMs());
      if (!(await this.#pass(step))) return false;
      const runsAhead = !this.#awaitsRequests && this.#requests.inFlight > 0;
      if (this.isRealTime || runsAhead) await delay(step);
      await this.#awaitWorkers();
      left -= step;
      this.#passedMs += step;
    }
    return this.isInTime;
  }

  /**
   * Waits until no worker is running a task. One that closes itself ends only while the document's time
   * passes: a millisecond now and then, which is missing from the next step.
   */
  async #awaitWorkers(): Promise<void> {
    if (this.#page.workers.count === 0) return;
    const idle = this.#page.workers.ping();
    for (let waitMs = CLOSING_MS; this.isInTime; waitMs *= 2) {
      if (await resolvesWithin(idle, Math.min(waitMs, this.#getRemainingMs()))) return;
      if (!(await this.#pass(1))) return;
      this.#earlyMs += 1;
      this.#passedMs += 1;
    }
  }

  /** Lets time pass to the next multiple of `ms`. Returns false if its real time is over. */
  advanceToMultiple(ms: number): Promise<boolean> {
    return this.advance(ms - (this.#passedMs % ms));
  }

  /**
   * Lets `ms` pass in one budget. Returns false, and stops the clock, if the real time is over before: a
   * script is busy, or a request is in flight. If the clock stands still although nothing that it should wait
   * for is in progress, it stops waiting. Throws PageLostError if the page is lost.
   */
  async #pass(ms: number): Promise<boolean> {
    const { time, whenLost, workers } = this.#page;
    this.#awaitsRequests &&= workers.refused === 0;
    let passed = time.grant(ms, this.#awaitsRequests);
    let idleChecks = 0;
    const awaitedRequests = this.#awaitsRequests;
    let waits = 0;
    for (let leftMs = this.#getRemainingMs(); leftMs > 0; leftMs = this.#getRemainingMs()) {
      if (await resolvesWithin(Promise.race([passed, whenLost]), Math.min(WAIT_MS, leftMs))) return true;
      if (this.#page.lossReason !== null) throw new PageLostError(this.#page.lossReason);
      if (this.#awaitsRequests && workers.refused > 0) {
        // The request for the script of a worker that was refused never ends.
        this.#awaitsRequests = false;
        passed = time.grantAgain(ms, false);
      }
      waits += 1;
      if (waits % WAITS_PER_CHECK > 0) continue;
      idleChecks = (await this.#isBusy()) ? 0 : idleChecks + 1;
      if (idleChecks >= 2) this.#awaitsRequests = false;
      if (idleChecks >= 2 || this.#awaitsRequests !== awaitedRequests)
        passed = time.grantAgain(ms, this.#awaitsRequests);
    }
    time.pause();
    return false;
  }

  /** Waits for requests again as soon as one has a response. */
  #checkRealTime(): void {
    const { started, inFlight } = this.#requests;
    if (inFlight > 0 && started - inFlight === this.#responses.count) return;
    this.isRealTime = false;
    this.#responses = { count: started - inFlight, checks: 0 };
    this.#awaitsRequests = true;
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
      this.#awaitsRequests = false;
    }
  }

  #getRemainingMs(): number {
    const now = this.#now();
    if (this.#settleAt <= now && this.#page.isLayingOut())
      this.#settleAt = Math.min(this.#latestSettleAt, now + EXTENSION_MS);
    return Math.max(0, this.#settleAt - now);
  }
}
