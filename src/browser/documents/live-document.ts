import { resolvesWithin } from '#concurrency';
import type { Page } from '../pages/page.ts';
import { DocumentClock, type DocumentLimits, type PendingRequests } from './document-clock.ts';
import {
  ANNOUNCE_PRINT,
  LIST_ERRORS,
  type ScriptError,
  TAKE_ACTIVITY,
  delay,
} from './document-start-script.ts';
import { type Activity, NO_ACTIVITY } from './start-script/activity.ts';
import { DROP_FOCUS, DROP_RELATIVE_LINKS, FINISH_ANIMATIONS } from './page-expressions.ts';
import { loadDocument, type DocumentSource, type WebPageSource } from './load-document.ts';

/**
 * The document is idle after this many budgets in a row without a request, a change or a timer; after one if
 * nothing is left that could run.
 */
const QUIET_BUDGETS = 3;
const BUDGET_MS = 1_000;
/** The budgets of a document that is never idle. */
interface BudgetLimits {
  /** The budgets of a document that requests something again and again. */
  maxBudgets: number;
  /**
   * The budgets of a document that changes, or starts timers, again and again. An endless animation is shown
   * as it is after them.
   */
  maxChanging: number;
  /** A document that adds this many elements in a budget makes progress: it is given further ones. */
  growth: number;
  /** After a request, several seconds are granted although nothing seems to be left that could run. */
  isPatient: boolean;
}

/** Scripts that divide a book into pages add several hundred elements in a second; tickers add a few. */
const PRINT_BUDGETS: BudgetLimits = { maxBudgets: 30, maxChanging: 10, growth: 100, isPatient: false };
/** The texts that describe a page are there before its carousel has turned often. */
const WEB_PAGE_BUDGETS: BudgetLimits = { maxBudgets: 15, maxChanging: 4, growth: Infinity, isPatient: true };
const POLL_MS = 2;
/** A document that was printed may be busy with a script. */
const ERRORS_MS = 500;
/** Animations and observers may start others. */
const MAX_ROUNDS = 3;
/** Some events are sent with the frame after the one that shows their cause: of sizes, and of visibility. */
const FRAMES = 2;
/** Frames are shown at multiples of this time. */
const FRAME_MS = 20;
/** An expression that lays the document out, which can take long: its frame then does not hold up others. */
const LAY_OUT = 'document.documentElement?.getBoundingClientRect().top';

/**
 * A document in a page, whose clock is virtual: it runs as fast as the document's scripts and requests allow,
 * and stands still between the calls of this class.
 */
export class LiveDocument {
  /** The document still added many elements when it was last waited for: its real time was over. */
  isGrowing = false;
  readonly #page: Page;
  readonly #requests: PendingRequests;
  readonly #clock: DocumentClock;
  readonly #budgets: BudgetLimits;
  readonly #isForPrint: boolean;
  /** Animations ran: their events are sent with the next frame. */
  #hasAnimations = false;
  #hasPrintQueries = false;
  #isDrawn = false;
  #elements = 0;

  private constructor(
    page: Page,
    requests: PendingRequests,
    clock: DocumentClock,
    source: DocumentSource | WebPageSource,
  ) {
    this.#page = page;
    this.#requests = requests;
    this.#clock = clock;
    this.#budgets = 'html' in source ? PRINT_BUDGETS : WEB_PAGE_BUDGETS;
    this.#isForPrint = 'html' in source && source.media === 'print';
  }

  /** Loads a document, or a supplied page of the web, into a page, until its load event. */
  static async load(
    page: Page,
    source: DocumentSource | WebPageSource,
    requests: PendingRequests,
    limits: DocumentLimits,
  ): Promise<LiveDocument> {
    const clock = new DocumentClock(page, requests, limits);
    const document = new LiveDocument(page, requests, clock, source);
    await loadDocument(page, clock, source);
    await document.#begin();
    return document;
  }

  /** Shows the document that has loaded: up to then, its time passed in steps that differ. */
  async #begin(): Promise<void> {
    const [isInTime] = await Promise.all([
      this.#clock.advanceToMultiple(FRAME_MS),
      // What its scripts have used decides whether frames are drawn.
      this.#takeActivity(),
    ]);
    if (!isInTime) return;
    // The browser has laid it out at the load event.
    await this.#showFrames();
    await this.#takeActivity();
  }

  /** Lets `ms` of the document's time pass, and shows it. Returns false if its real time is over. */
  async advance(ms: number): Promise<boolean> {
    if (!(await this.#clock.advance(ms))) return false;
    await this.#layOutAndShow();
    return this.#clock.isInTime;
  }

  /**
   * Lets time pass until the document is idle: no request, no change and no timer in three seconds of its
   * time. Then shows it. If that leads to further work, it is waited for, unless the document is never idle.
   */
  async runToIdle(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const isIdle = await this.#runToIdle();
      if (!this.#clock.isInTime) return;
      const { started } = this.#requests;
      await this.#layOutAndShow();
      if (!(await this.#clock.advance(FRAME_MS)) || !isIdle) return;
      const { changes, timers } = await this.#finishPendingWork();
      if (changes + timers === 0 && this.#requests.started === started) return;
    }
  }

  /**
   * Shows the document, at an instant of its time that is the same each time. That calls observers and sends
   * events of animations, of scrolling and of sizes.
   */
  async #showFrames(): Promise<void> {
    for (let frame = 0; frame < FRAMES; frame += 1) await this.#page.showFrame(this.#isDrawn);
  }

  async #layOutAndShow(): Promise<void> {
    await this.#page.evaluate(LAY_OUT);
    await this.#showFrames();
  }

  /** Returns false if the document is not idle in the time that it is given. */
  async #runToIdle(): Promise<boolean> {
    const { maxBudgets, maxChanging, growth, isPatient } = this.#budgets;
    let changing = 0;
    let budgets = 0;
    this.isGrowing = false;
    for (let quiet = 0; quiet < QUIET_BUDGETS && (budgets < maxBudgets || this.isGrowing); budgets += 1) {
      const { started } = this.#requests;
      const elements = this.#elements;
      if (!(await this.#clock.advanceToMultiple(BUDGET_MS))) return false;
      const { changes, timers, repeating } = await this.#finishPendingWork();
      const hasRequested = this.#requests.started > started;
      // A list that is endless requests what it adds.
      this.isGrowing = this.#elements - elements >= growth && !hasRequested;
      const hasChanged = changes + timers > 0;
      if (hasChanged) changing += 1;
      const mayChange = changing < maxChanging || this.isGrowing;
      quiet = (hasChanged && mayChange) || hasRequested ? 0 : quiet + 1;
      const canRun = hasChanged || repeating + this.#page.workers.count > 0;
      // On a busy machine, what a response leads to may come a moment after it.
      const isExpected = isPatient && this.#requests.started > 0;
      if (!canRun && !hasRequested && !isExpected) break;
    }
    return changing < maxChanging && budgets < maxBudgets;
  }

  /**
   * Calls the listeners of media queries for print, if that is the medium, finishes animations, and drops the
   * focus and the relative links of a document without a URL.
   */
  async prepareToPrint(): Promise<void> {
    if (this.#isForPrint && this.#hasPrintQueries) {
      this.#page.sendAndForget('Runtime.evaluate', { expression: ANNOUNCE_PRINT });
      await this.runToIdle();
    }
    await this.#finishAnimations();
    this.#page.evaluate(DROP_FOCUS).catch(() => {});
    this.#page.evaluate(DROP_RELATIVE_LINKS).catch(() => {});
  }

  /**
   * Shows the final state of animations and transitions. Those without end are shown at a fixed instant of
   * their own time.
   */
  async #finishAnimations(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const count = await this.#page.evaluate(FINISH_ANIMATIONS);
      if (count === 0 && !this.#hasAnimations) return;
      this.#hasAnimations = false;
      await this.#showFrames();
      await this.#clock.advance(BUDGET_MS);
    }
  }

  /**
   * Returns the first errors that no script of the document caught; none if it does not respond. Errors of
   * the document's own scripts have no file.
   */
  async findErrors(): Promise<ScriptError[]> {
    const listing = this.#page.evaluateInDocument(LIST_ERRORS) as Promise<Record<string, ScriptError> | null>;
    if (!(await resolvesWithin(listing, ERRORS_MS))) return [];
    const errors = Object.values((await listing) ?? {});
    return errors.map((error) => (error.file === this.#page.url ? { ...error, file: '' } : error));
  }

  /** Waits for the document's work in other threads, and returns its activity since the last call. */
  async #finishPendingWork(): Promise<Activity> {
    let activity = await this.#takeActivity();
    let { changes } = activity;
    // A response that does not come may be what the work waits for.
    while (activity.pending > 0 && this.#clock.isInTime && !this.#clock.isRealTime) {
      await delay(POLL_MS);
      await this.#clock.advance(1);
      activity = await this.#takeActivity();
      changes += activity.changes + 1;
    }
    return { ...activity, changes };
  }

  async #takeActivity(): Promise<Activity> {
    const activity = (await this.#page.evaluateInDocument(TAKE_ACTIVITY)) as Activity | null;
    this.#hasAnimations ||= (activity?.animations ?? 0) > 0;
    this.#hasPrintQueries ||= (activity?.printQueries ?? 0) > 0;
    this.#isDrawn ||= (activity?.drawings ?? 0) > 0;
    this.#page.hasTransitions ||= (activity?.transitions ?? 0) > 0;
    this.#elements = activity?.elements ?? 0;
    return activity ?? NO_ACTIVITY;
  }
}
