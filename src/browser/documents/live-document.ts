import { CdpError } from '../browser-errors.ts';
import { OWN_URL, type Page } from '../pages/page.ts';
import type { ServedRequests } from '../resources/serve-requests.ts';
import { OBSERVE_CHANGES, RESTART_CLOCK, TAKE_ACTIVITY, type Activity } from './document-start-script.ts';
import { AFTER_TWO_FRAMES, FINISH_ANIMATIONS } from './finish-animations.ts';
import { delay, resolvesWithin } from './timers.ts';
import { VirtualTime } from './virtual-time.ts';

/** A document to load. */
export interface DocumentSource {
  html: string;
  /** The document's URL, and with it its origin; null for OWN_URL. */
  url: string | null;
  /** The time that its clock starts at, in milliseconds since 1970. */
  epochMs: number;
  media: 'print' | 'screen';
  javascript: boolean;
}

/** The limits on what a document is waited for. */
export interface LiveDocumentLimits {
  /** Milliseconds of real time from now, after which the document is used as it is. */
  settleMs: number;
  /** Milliseconds; only differences count. */
  now: () => number;
}

/**
 * The document is idle after so many budgets in a row without a request, a change or a timer; after one if
 * nothing is left that could run.
 */
const QUIET_BUDGETS = 3;
const BUDGET_MS = 1_000;
/** For documents that request something again and again. */
const MAX_BUDGETS = 30;
/** For documents that change, or start timers, again and again: the instant of an endless animation. */
const MAX_CHANGING_BUDGETS = 10;
/** Messages between a document and its workers take real time, which short steps leave them. */
const WORKER_STEP_MS = 50;
/** The longest step until the load event. Before it, short steps make equal documents equal. */
const MAX_LOADING_STEP_MS = 64;
const POLL_MS = 2;
/** A page that does not show anything (a document that hides itself) has no frames. */
const MAX_FRAMES_MS = 500;
/** Animations and observers may start others. */
const MAX_ROUNDS = 3;
/**
 * A loaded document is not waited for any more when its requests have had no response for so many checks of
 * the clock, which are a second apart.
 */
const MAX_CHECKS_WITHOUT_RESPONSE = 4;
const RESPONSE_MS = 100;
const NOTHING: Activity = { pending: 0, changes: 0, timers: 0, repeating: 0, animations: 0, observers: 0 };

/**
 * A document in a page, whose clock is virtual: it runs as fast as the document's scripts and requests allow,
 * and stands still between the calls of this class.
 */
export class LiveDocument {
  readonly #page: Page;
  readonly #requests: ServedRequests;
  readonly #time: VirtualTime;
  readonly #now: () => number;
  #settleAt: number;
  #isLoaded = false;
  /** Animations ran: their events are sent with the next frame. */
  #hasAnimations = false;
  /** The document observes what is visible. */
  #hasObservers = false;
  /** The responses at the last check, and the number of checks since the last response. */
  #responses = { count: 0, checks: 0 };

  private constructor(page: Page, requests: ServedRequests, { settleMs, now }: LiveDocumentLimits) {
    this.#page = page;
    this.#requests = requests;
    this.#now = now;
    this.#settleAt = now() + settleMs;
    this.#time = new VirtualTime(page, () => this.#isBusy());
  }

  /** Loads a document into a page, until its load event. */
  static async load(
    page: Page,
    source: DocumentSource,
    requests: ServedRequests,
    limits: LiveDocumentLimits,
  ): Promise<LiveDocument> {
    const document = new LiveDocument(page, requests, limits);
    await document.#load(source);
    return document;
  }

  /** False if the document was not idle within its time: it is used as it is. */
  get isInTime(): boolean {
    return this.#getRemainingMs() > 0;
  }

  /**
   * Lets time pass until the document is idle: no request, no change and no timer in three seconds of its
   * time.
   */
  async runToIdle(): Promise<void> {
    await this.#runToIdle();
    for (let round = 0; this.#hasObservers && round < MAX_ROUNDS; round += 1) {
      this.#hasObservers = false;
      await this.#showFrames();
      await this.#runToIdle();
    }
  }

  async #runToIdle(): Promise<void> {
    let changing = 0;
    for (let quiet = 0, budgets = 0; quiet < QUIET_BUDGETS && budgets < MAX_BUDGETS; budgets += 1) {
      const { started } = this.#requests;
      if (!(await this.advance(BUDGET_MS))) return;
      const { changes, timers, repeating } = await this.#finishPendingWork();
      const hasRequested = this.#requests.started > started;
      if (changes + timers > 0) changing += 1;
      const isChanging = changes + timers > 0 && changing < MAX_CHANGING_BUDGETS;
      quiet = isChanging || hasRequested ? 0 : quiet + 1;
      const canRun = changes + timers + repeating + this.#page.workers.size > 0;
      if (!canRun && !hasRequested) return;
    }
  }

  /** Lets `ms` of the document's time pass. Returns false if its real time is over. */
  async advance(ms: number): Promise<boolean> {
    for (let left = ms; left > 0;) {
      const step = Math.min(left, this.#page.workers.size > 0 ? WORKER_STEP_MS : BUDGET_MS);
      if (!(await this.#time.advance(step, this.#getRemainingMs))) return false;
      if (this.#page.workers.size > 0) await resolvesWithin(this.#page.pingWorkers(), this.#getRemainingMs());
      left -= step;
    }
    return this.isInTime;
  }

  /**
   * Shows the final state of animations and transitions. Those without end are shown at a fixed instant of
   * their own time.
   */
  async finishAnimations(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const count = await this.#page.evaluate(FINISH_ANIMATIONS);
      if (count === 0 && !this.#hasAnimations) return;
      this.#hasAnimations = false;
      await this.#showFrames();
      await this.advance(BUDGET_MS);
    }
  }

  async #load({ html, url, epochMs, media, javascript }: DocumentSource): Promise<void> {
    const page = this.#page;
    await openOrigin(page, url ?? OWN_URL);
    page.onLoad = () => {
      this.#isLoaded = true;
    };
    // Backgrounds, fonts and frames for print are requested only if the medium is print while the document
    // loads.
    page.sendAndForget('Emulation.setEmulatedMedia', { media });
    this.#time.start(epochMs);
    page.sendAndForget('Runtime.evaluate', { expression: RESTART_CLOCK });
    if (!javascript) page.sendAndForget('Emulation.setScriptExecutionDisabled', { value: true });
    await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
    for (let step = 1; !this.#isLoaded; step = Math.min(step * 2, MAX_LOADING_STEP_MS)) {
      if (!(await this.#time.advance(step, this.#getRemainingMs))) return;
      // The event may never come: window.stop(), a blocked navigation.
      if (step === MAX_LOADING_STEP_MS && (await page.evaluate('document.readyState')) === 'complete')
        this.#isLoaded = true;
    }
    page.sendAndForget('Runtime.evaluate', { expression: OBSERVE_CHANGES });
    if (javascript) await this.#takeActivity();
  }

  /** Waits for the document's work in other threads, and returns its activity since the last call. */
  async #finishPendingWork(): Promise<Activity> {
    let changes = 0;
    for (;;) {
      const activity = await this.#takeActivity();
      changes += activity.changes;
      if (activity.pending === 0 || !this.isInTime) return { ...activity, changes };
      await delay(POLL_MS);
      await this.#time.advance(1, this.#getRemainingMs);
      changes += 1;
    }
  }

  async #takeActivity(): Promise<Activity> {
    const activity = (await this.#page.evaluateInDocument(TAKE_ACTIVITY)) as Activity | null;
    this.#hasAnimations ||= (activity?.animations ?? 0) > 0;
    this.#hasObservers ||= (activity?.observers ?? 0) > 0;
    return activity ?? NOTHING;
  }

  async #showFrames(): Promise<void> {
    await resolvesWithin(this.#page.evaluate(AFTER_TWO_FRAMES), MAX_FRAMES_MS);
  }

  /** Checks whether a request is in flight, or a thread of the document does not respond. */
  async #isBusy(): Promise<boolean> {
    if (this.#requests.inFlight > 0) {
      this.#checkResponses();
      return true;
    }
    const responses = Promise.all([this.#page.evaluate('0'), this.#page.pingWorkers()]);
    return !(await resolvesWithin(responses, RESPONSE_MS));
  }

  /** Ends the document's time if its requests hang. */
  #checkResponses(): void {
    const count = this.#requests.started - this.#requests.inFlight;
    const checks = this.#isLoaded && count === this.#responses.count ? this.#responses.checks + 1 : 0;
    this.#responses = { count, checks };
    if (checks >= MAX_CHECKS_WITHOUT_RESPONSE) this.#settleAt = this.#now();
  }

  readonly #getRemainingMs = (): number => Math.max(0, this.#settleAt - this.#now());
}

/** Opens the document's origin. If the browser refuses the URL (a forbidden port), it is OWN_URL. */
async function openOrigin(page: Page, url: string): Promise<void> {
  if (page.url === url) return;
  try {
    await page.open(url);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    await page.open(OWN_URL);
  }
}
