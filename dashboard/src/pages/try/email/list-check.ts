/** Checks a list in batches, as fast as the limit of the key allows. */
import { RequestError } from '../../../api/request.ts';
import type { Batch } from '../../../api/run-batch.ts';
import type { EmailResult } from './email-result.ts';
import { type CheckedAddress, type Kind, summarize } from './list-result.ts';

/** Validates addresses in their order. Throws RequestError if the service refuses all of them. */
export type SendBatch = (emails: string[], signal: AbortSignal) => Promise<Batch<EmailResult>>;

/** Waits. Rejects when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** `pausing`: the batch that is on its way still counts, so its results are awaited. */
export type ListStatus = 'running' | 'waiting' | 'pausing' | 'paused' | 'finished' | 'failed';

const MAX_BATCH = 1000;
/** The first batch tells how much of the limit is left. */
const FIRST_BATCH = 10;
/** For a failure that says nothing of when to try again. */
const RETRY_SECONDS = 5;
const MAX_FAILURES = 5;

/** One check of a list. `onChange` is called after every result and change of the status. */
export class ListCheck {
  status: ListStatus = 'paused';
  error: unknown = null;
  /** The seconds to wait for the limit, when `status` changed to waiting. */
  waitSeconds = 0;
  readonly results = new Map<string, CheckedAddress>();
  readonly counts: Record<Kind, number> = { valid: 0, typo: 0, disposable: 0, no_mail_host: 0, invalid: 0 };
  readonly addresses: readonly string[];
  readonly #parts: { sendBatch: SendBatch; sleep: Sleep; onChange: () => void };
  #size = FIRST_BATCH;
  #run: AbortController | null = null;

  constructor(
    addresses: readonly string[],
    parts: { sendBatch: SendBatch; sleep: Sleep; onChange: () => void },
  ) {
    this.addresses = addresses;
    this.#parts = parts;
  }

  get done(): number {
    return this.results.size;
  }

  /** Starts, or goes on after a pause or a failure. Resolves when the check stops. */
  async start(): Promise<void> {
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    this.error = null;
    try {
      await this.#checkAll(run.signal);
      this.#set(this.done < this.addresses.length ? 'paused' : 'finished');
    } catch (error) {
      if (run.signal.aborted) return;
      this.error = error;
      this.#set('failed');
    }
  }

  /** Pauses after the batch that is on its way; at once while waiting for the limit. */
  pause(): void {
    if (this.status === 'running') this.#set('pausing');
    else if (this.status === 'waiting') this.cancel();
  }

  /** Stops at once, and keeps the results that have arrived. */
  cancel(): void {
    this.#run?.abort();
    this.#set('paused');
  }

  #isPausing(): boolean {
    return this.status === 'pausing';
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (this.done < this.addresses.length && !this.#isPausing()) {
      this.#set('running');
      const before = this.done;
      const emails = this.addresses.slice(before, before + this.#size);
      try {
        await this.#checkBatch(emails, signal);
      } catch (error) {
        signal.throwIfAborted();
        failures = this.done > before ? 1 : failures + 1;
        await this.#recover(error, failures, emails.length, signal);
        continue;
      }
      failures = 0;
    }
  }

  async #checkBatch(emails: string[], signal: AbortSignal): Promise<void> {
    const { limit, remaining, resetSeconds, lines } = await this.#parts.sendBatch(emails, signal);
    let at = 0;
    for await (const result of lines) {
      signal.throwIfAborted();
      const email = emails[at] ?? result.email;
      at += 1;
      const checked = summarize(email, result);
      this.results.set(email, checked);
      this.counts[checked.kind] += 1;
      this.#parts.onChange();
    }
    if (at < emails.length)
      throw new RequestError('The response ended early.', { status: 0, code: 'offline' });
    this.#size = Math.max(1, Math.min(MAX_BATCH, remaining));
    if (remaining > 0 || this.done >= this.addresses.length) return;
    this.#size = Math.max(1, Math.min(MAX_BATCH, limit));
    await this.#wait(resetSeconds, signal);
  }

  /** Waits until the next attempt makes sense; throws the error if none does. */
  async #recover(error: unknown, failures: number, sent: number, signal: AbortSignal): Promise<void> {
    if (!(error instanceof RequestError)) throw error;
    const isOverLimit = error.status === 429;
    const isPassing = error.status === 0 || error.status === 503;
    // A batch larger than the limit of a minute is refused by its size.
    const isTooLarge = error.status === 400 && error.param === 'emails' && sent > 1;
    if (!isOverLimit && !isPassing && !isTooLarge) throw error;
    if (isPassing && failures > MAX_FAILURES) throw error;
    // Other calls of the key may use a part of the limit each minute.
    if (isTooLarge || failures > 1) this.#size = Math.max(1, Math.floor(sent / 2));
    if (!isTooLarge) await this.#wait(error.retryAfterSeconds ?? RETRY_SECONDS, signal);
  }

  async #wait(seconds: number, signal: AbortSignal): Promise<void> {
    if (this.#isPausing()) return;
    this.waitSeconds = seconds;
    this.#set('waiting');
    await this.#parts.sleep(seconds * 1000, signal);
  }

  #set(status: ListStatus): void {
    this.status = status;
    this.#parts.onChange();
  }
}
