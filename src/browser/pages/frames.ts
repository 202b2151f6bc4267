import type { Protocol } from 'devtools-protocol';
import { resolvesWithin } from '#concurrency';
import type { LossReason } from '../browser-errors.ts';

/** The page that a frame shows. */
export interface FramedPage {
  readonly lossReason: LossReason | null;
  /** Resolves when the browser has confirmed that the lost page is gone. */
  readonly whenDisposed: Promise<void>;
  /** The CPU time that its renderer has used, in milliseconds. */
  readonly cpuMs: number;
  readonly time: { takeFrameTicks(): number | null };
  send(
    method: 'HeadlessExperimental.beginFrame',
    params: Protocol.HeadlessExperimental.BeginFrameRequest,
  ): Promise<unknown>;
  abandon(reason: LossReason): void;
}

const POLL_MS = 100;
/**
 * A frame for which others wait may take this CPU time of its renderer. Real time alone would not show
 * whether the document or the machine is busy.
 */
const MAX_CPU_MS = 500;
/** And this time in all: a script in it may wait for a response. In milliseconds. */
const MAX_TIME_MS = 3_000;
/** A browser that does not confirm in this time that a lost page is gone has failed. In milliseconds. */
const MAX_DISPOSAL_MS = 10_000;

/**
 * Shows the frames of all pages of one browser, one after the other: two at a time would end the browser. A
 * frame is over when the browser has answered, or has confirmed that its page is gone.
 */
export class FrameQueue {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  readonly #onStuck: () => void;

  /** `onStuck` is called if a frame can never be over: the browser must be replaced. */
  constructor(onStuck: () => void) {
    this.#onStuck = onStuck;
  }

  /**
   * Shows a frame of a page: calls its observers, sends the events of its animations, and lays it out.
   * Draws it only if `isDrawn`. Resolves when that is done or the page is lost. A page whose frame holds up
   * others for too long is abandoned.
   */
  show(page: FramedPage, isDrawn = false): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last.then(() => {
      this.#waiting -= 1;
      return this.#show(page, !isDrawn);
    });
    return this.#last;
  }

  async #show(page: FramedPage, noDisplayUpdates: boolean): Promise<void> {
    if (page.lossReason !== null) return;
    const unwatch = this.#watch(page);
    const ticks = page.time.takeFrameTicks();
    const params = { noDisplayUpdates, ...(ticks === null ? {} : { frameTimeTicks: ticks }) };
    await page.send('HeadlessExperimental.beginFrame', params).catch(() => {});
    unwatch();
    // Its commands were rejected when it was lost: the browser may still work on the frame.
    if (page.lossReason === null || (await resolvesWithin(page.whenDisposed, MAX_DISPOSAL_MS))) return;
    this.#onStuck();
    await page.whenDisposed;
  }

  /** Abandons a page that holds up others. Returns a function that ends the watch. */
  #watch(page: FramedPage): () => void {
    let polls = 0;
    let cpuMs: number | null = null;
    const timer = setInterval(() => {
      polls += 1;
      cpuMs ??= page.cpuMs;
      if (this.#waiting === 0) return;
      if (polls * POLL_MS >= MAX_TIME_MS || page.cpuMs - cpuMs >= MAX_CPU_MS) page.abandon('frame');
    }, POLL_MS).unref();
    return () => clearInterval(timer);
  }
}
