import { ApiError } from '#errors';
import {
  type DecodedListener,
  type Decoder,
  codingRefusal,
  createDecoder,
  parseContentEncoding,
} from './content-decoding.ts';
import type { Exchange } from './exchange.ts';
import { type RawHeaders, findHeaderValues, parseHeaders, parseLocation } from './headers.ts';
import { DeadlineExceeded } from '#concurrency';
import { Refusal } from '../guard/refusal.ts';
import type { HopListener } from './send.ts';
import type { PageEnd, PageHead, PageReader } from '#metadata';

/** The largest body of a redirect that is received, and discarded, to keep its connection. */
const MAX_DISCARDED_BYTES = 16 * 1024;
const MAX_DISCARD_MS = 100;
/** The time to receive the rest of a body that the reader does not need: a body may never end. */
const MAX_REST_MS = 500;

/** A redirect to `location`, from which `fragment` is split off; null if the Location has none. */
interface RedirectOutcome {
  kind: 'redirect';
  status: number;
  headers: RawHeaders;
  location: URL;
  fragment: string | null;
  peer: string;
}

/** The outcome of one hop. `peer`: the address that responded. */
export type HopOutcome =
  | RedirectOutcome
  | { kind: 'answer'; headers: RawHeaders; head: PageHead; end: PageEnd; peer: string };

/** An error that the reader threw, as `cause`. */
export class ReaderError extends Error {
  override name = 'ReaderError';
}

export interface ResponseHopOptions {
  url: URL;
  followRedirects: boolean;
  redirects: PageHead['redirects'];
  reader: PageReader;
  /** The reader receives this many bytes at most. */
  maxDecodedBytes: number;
  settle: (outcome: HopOutcome) => void;
  fail: (error: unknown) => void;
}

function isBrokenProtocol(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof Refusal || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW';
}

/**
 * Handles one response: a redirect, whose body is discarded, or the final one, which the reader receives
 * decoded.
 */
export class ResponseHop implements HopListener, DecodedListener {
  readonly #options: ResponseHopOptions;
  #exchange: Exchange | null = null;
  #decoder: Decoder | null = null;
  #headers: RawHeaders = [];
  #head: PageHead | null = null;
  #peer = '';
  #redirect: HopOutcome | null = null;
  #discardTimer: NodeJS.Timeout | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  #discardedBytes = 0;
  #decodedBytes = 0;
  #isPaused = false;
  #isSettled = false;
  #discardsRest = false;

  constructor(options: ResponseHopOptions) {
    this.#options = options;
  }

  onPeer(address: string): void {
    this.#peer = address;
  }

  onHead(status: number, headers: RawHeaders, exchange: Exchange): void {
    const { url, followRedirects, redirects } = this.#options;
    this.#exchange = exchange;
    this.#headers = headers;
    try {
      const location = followRedirects ? parseLocation(url, status, headers) : null;
      if (location !== null) {
        const fragment = location.href.includes('#') ? location.hash : null;
        location.hash = '';
        this.#discardBody({ kind: 'redirect', status, headers, location, fragment, peer: this.#peer });
      } else this.#startAnswer({ finalUrl: url.href, status, headers: parseHeaders(headers), redirects });
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** Receives a short body if the next hop can reuse the connection. */
  #discardBody(outcome: HopOutcome & { kind: 'redirect' }): void {
    if (outcome.location.origin !== this.#options.url.origin) {
      this.#settle(outcome);
      return;
    }
    this.#redirect = outcome;
    this.#discardTimer = setTimeout(() => this.#settle(outcome), MAX_DISCARD_MS);
  }

  #countDiscarded(chunk: Buffer, outcome: HopOutcome): void {
    this.#discardedBytes += chunk.length;
    if (this.#discardedBytes > MAX_DISCARDED_BYTES) this.#settle(outcome);
  }

  #startAnswer(head: PageHead): void {
    this.#head = head;
    if (!this.#callReader(() => this.#options.reader.start(head))) {
      this.#finish('stopped');
      return;
    }
    // Checked only if the reader wants the body. Several fields are a chain of codings (RFC 9110 §5.3).
    const encoding = findHeaderValues(this.#headers, 'content-encoding').join(', ');
    const coding = parseContentEncoding(encoding);
    if (coding === null) throw codingRefusal(encoding);
    if (coding !== 'identity') this.#decoder = createDecoder(coding, this);
  }

  /** Calls the reader. An error that it throws ends the fetch. */
  #callReader(call: () => boolean): boolean {
    try {
      return call();
    } catch (cause) {
      this.#fail(new ReaderError('the reader failed', { cause }));
      return false;
    }
  }

  onData(chunk: Buffer): void {
    if (this.#isSettled) return;
    if (this.#redirect !== null) {
      this.#countDiscarded(chunk, this.#redirect);
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
    if (!this.#callReader(() => this.#options.reader.write(part))) {
      this.#discardsRest = true;
      this.#finish('stopped');
    } else if (part.length < chunk.length) this.#finish('capped');
    else if (this.#options.reader.isEnough === true)
      this.#restTimer ??= setTimeout(() => this.#finish('stopped'), MAX_REST_MS);
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
    // The decoder may hold more bytes: ending it tells whether the encoded stream was complete.
    else this.#decoder.end();
  }

  #finish(end: PageEnd): void {
    if (this.#head === null) return;
    this.#settle({ kind: 'answer', headers: this.#headers, head: this.#head, end, peer: this.#peer });
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
    clearTimeout(this.#discardTimer);
    clearTimeout(this.#restTimer);
    this.#decoder?.destroy();
    // The caller has its result; a short rest of the body is received in the background.
    if (this.#discardsRest) this.#exchange?.discardRest();
    else this.#exchange?.cancel();
  }
}
