import { ApiError } from '#errors';
import { createDecoder, type DecodedListener, type Decoder } from './content-decoding.ts';
import { codingRefusal, parseContentEncoding } from './content-encoding.ts';
import type { Exchange } from './exchange.ts';
import { readHeaders, readHeaderValues, type RawHeaders } from './headers.ts';
import { readLocation } from './redirect.ts';
import { DeadlineExceeded } from '../concurrency/deadline.ts';
import { Refusal } from '../guard/refusal.ts';
import type { HopListener } from './send.ts';
import type { PageEnd, PageHead, PageReader } from './page.ts';

/** What the body of a redirect may have, and take, before its connection is given up. */
const MAX_DISCARDED_BYTES = 16 * 1024;
const MAX_LEAVE_MS = 100;

/** How one hop ended. */
export type HopOutcome =
  | { kind: 'redirect'; status: number; headers: RawHeaders; location: URL }
  | { kind: 'answer'; headers: RawHeaders; head: PageHead; end: PageEnd };

/** The reader threw: its own error, not the network's. */
export class ReaderError extends Error {
  override name = 'ReaderError';
}

export interface ResponseHopOptions {
  url: URL;
  followRedirects: boolean;
  redirects: PageHead['redirects'];
  reader: PageReader;
  /** The body is fed to the reader up to this size. */
  maxDecodedBytes: number;
  settle: (outcome: HopOutcome) => void;
  fail: (error: unknown) => void;
}

function isBrokenProtocol(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof Refusal || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW';
}

/** Takes one response: either a redirect, whose body is not wanted, or the answer, which goes decoded to the reader. */
export class ResponseHop implements HopListener, DecodedListener {
  readonly #options: ResponseHopOptions;
  #exchange: Exchange | null = null;
  #decoder: Decoder | null = null;
  #headers: RawHeaders = [];
  #head: PageHead | null = null;
  #redirect: HopOutcome | null = null;
  #leaveTimer: NodeJS.Timeout | undefined;
  #discardedBytes = 0;
  #decodedBytes = 0;
  #isPaused = false;
  #isSettled = false;
  #isLeaving = false;

  constructor(options: ResponseHopOptions) {
    this.#options = options;
  }

  onHead(status: number, headers: RawHeaders, exchange: Exchange): void {
    const { url, followRedirects, redirects } = this.#options;
    this.#exchange = exchange;
    this.#headers = headers;
    try {
      const location = followRedirects ? readLocation(url, status, headers) : null;
      if (location !== null) this.#leave({ kind: 'redirect', status, headers, location });
      else this.#startAnswer({ finalUrl: url.href, status, headers: readHeaders(headers), redirects });
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** A short body is let in where the next hop can use the connection. */
  #leave(outcome: HopOutcome & { kind: 'redirect' }): void {
    if (outcome.location.origin !== this.#options.url.origin) {
      this.#settle(outcome);
      return;
    }
    this.#redirect = outcome;
    this.#leaveTimer = setTimeout(() => this.#settle(outcome), MAX_LEAVE_MS);
  }

  #discard(chunk: Buffer, outcome: HopOutcome): void {
    this.#discardedBytes += chunk.length;
    if (this.#discardedBytes > MAX_DISCARDED_BYTES) this.#settle(outcome);
  }

  #startAnswer(head: PageHead): void {
    this.#head = head;
    if (!this.#ask(() => this.#options.reader.start(head))) {
      this.#finish('stopped');
      return;
    }
    // Not before it is known that the body is wanted. Of several fields each names a coding on top of the others (RFC 9110 §5.3).
    const encoding = readHeaderValues(this.#headers, 'content-encoding').join(', ');
    const coding = parseContentEncoding(encoding);
    if (coding === null) throw codingRefusal(encoding);
    if (coding !== 'identity') this.#decoder = createDecoder(coding, this);
  }

  /** Asks the reader; what it throws ends the fetch as its own error. */
  #ask(question: () => boolean): boolean {
    try {
      return question();
    } catch (cause) {
      this.#fail(new ReaderError('the reader failed', { cause }));
      return false;
    }
  }

  onData(chunk: Buffer): void {
    if (this.#isSettled) return;
    if (this.#redirect !== null) {
      this.#discard(chunk, this.#redirect);
    } else if (this.#decoder === null) {
      this.onDecoded(chunk);
    } else if (!this.#decoder.write(chunk)) {
      this.#isPaused = true;
      this.#exchange?.pause();
    }
  }

  onDrain(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#exchange?.resume();
  }

  onDecoded(chunk: Buffer): void {
    if (this.#isSettled) return;
    const room = this.#options.maxDecodedBytes - this.#decodedBytes;
    if (room === 0) {
      this.#finish('capped');
      return;
    }
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#decodedBytes += part.length;
    if (!this.#ask(() => this.#options.reader.write(part))) {
      this.#isLeaving = true;
      this.#finish('stopped');
    } else if (part.length < chunk.length) this.#finish('capped');
  }

  onEnd(): void {
    if (this.#redirect !== null) this.#settle(this.#redirect);
    else if (this.#isSettled) return;
    else if (this.#decoder === null) this.#finish('complete');
    else this.#decoder.end();
  }

  onDecodedEnd(): void {
    this.#finish('complete');
  }

  onTruncated(): void {
    if (this.#decodedBytes > 0) this.#finish('cut');
    else this.#fail(new Refusal('nothing could be decoded'));
  }

  onCorrupt(cause: Error): void {
    this.#fail(new Refusal('the body does not decode', { cause }));
  }

  onError(error: unknown): void {
    if (this.#redirect !== null) this.#settle(this.#redirect);
    else if (this.#head === null || error instanceof ApiError || isBrokenProtocol(error)) this.#fail(error);
    else if (error instanceof DeadlineExceeded) this.#finish('timeout');
    else if (!(error instanceof Error && 'code' in error)) this.#fail(error);
    else if (this.#decoder === null) this.#finish('cut');
    // What is still in the decoder counts: its end tells whether the coded stream was whole.
    else this.#decoder.end();
  }

  #finish(end: PageEnd): void {
    if (this.#head !== null) this.#settle({ kind: 'answer', headers: this.#headers, head: this.#head, end });
  }

  #settle(outcome: HopOutcome): void {
    if (this.#isSettled) return;
    this.#close();
    this.#options.settle(outcome);
  }

  #fail(error: unknown): void {
    if (this.#isSettled) return;
    this.#close();
    this.#options.fail(error);
  }

  #close(): void {
    this.#isSettled = true;
    clearTimeout(this.#leaveTimer);
    this.#decoder?.destroy();
    // The caller has its answer: what is left of a short body comes in behind its back.
    if (this.#isLeaving) this.#exchange?.leave();
    else this.#exchange?.stop();
  }
}
