import type { Dispatcher } from 'undici';
import type { Connection } from './connection.ts';
import { findHeaderValues, type RawHeaders } from './headers.ts';
import { Refusal } from '../guard/refusal.ts';

/** A host that sends more interim responses (1xx) than this is hostile or broken. */
const MAX_INTERIM_RESPONSES = 16;
const MAX_HEADER_FIELDS = 1000;
/** The error of undici for a 101 (Switching Protocols), which nothing here requests. */
const UPGRADE_ERROR = 'bad upgrade';
/** The largest rest of a body that is received to keep its connection: a new connection costs more. */
const MAX_DISCARDED_BYTES = 256 * 1024;
const MAX_DISCARD_MS = 100;

export interface ExchangeRequest {
  method: string;
  /** Path and query, as in the request line. */
  path: string;
  /** Names and values, alternating. */
  headers: string[];
  body?: Uint8Array;
}

/** Receives a response as it arrives. Nothing is called after `onEnd`, `onError` or `onCancel`. */
export interface ExchangeListener {
  onHead(status: number, headers: RawHeaders): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(error: unknown): void;
  /** The exchange was canceled. */
  onCancel(): void;
}

/** One request and its response on a connection. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #listener: ExchangeListener;
  #controller: Dispatcher.DispatchController | null = null;
  #interimResponses = 0;
  #isOver = false;
  /** Bytes of the body that have not arrived, by its Content-Length; NaN without one. */
  #announcedBytes = NaN;
  /** Set while the rest of the body is discarded. */
  #discarding: { bytesLeft: number; timer: NodeJS.Timeout } | null = null;
  /** True if any byte of a response arrived: the request is not sent again then. */
  hasResponse = false;

  constructor(connection: Connection, listener: ExchangeListener) {
    this.#connection = connection;
    this.#listener = listener;
  }

  /** Sends the request. */
  start({ method, path, headers, body }: ExchangeRequest): void {
    this.#connection.isHeadAwaited = true;
    try {
      this.#connection.client.dispatch({ method, path, headers, body: body ?? null }, this);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Stops reading from the socket until `resume`. */
  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** Closes the connection; the listener gets nothing but `onCancel`. */
  cancel(): void {
    if (!this.#end()) return;
    this.#connection.destroy();
    this.#listener.onCancel();
  }

  /** Cancels, but first receives a short rest of the body, so that the connection can be reused. */
  discardRest(): void {
    if (this.#isOver || this.#discarding !== null) return;
    if (this.#announcedBytes > MAX_DISCARDED_BYTES) {
      this.cancel();
      return;
    }
    const timer = setTimeout(() => this.cancel(), MAX_DISCARD_MS).unref();
    this.#discarding = { bytesLeft: MAX_DISCARDED_BYTES, timer };
    this.#controller?.resume();
  }

  /** Ends the exchange with this error and closes the connection. */
  fail(error: unknown): void {
    if (!this.#end()) return;
    this.#connection.destroy();
    if (this.#discarding === null) this.#listener.onError(error);
    else this.#listener.onCancel();
  }

  /** Marks the exchange as over; false if it was. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#discarding?.timer);
    return true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStarted(): void {
    this.hasResponse = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#isOver) return;
    if (status < 200) {
      this.#onInterim(status);
      return;
    }
    this.#connection.isHeadAwaited = false;
    this.#connection.noteProgress();
    const headers = controller.rawHeaders as Buffer[];
    const [length] = findHeaderValues(headers, 'content-length');
    if (length !== undefined) this.#announcedBytes = Number(length.toString('latin1'));
    if (headers.length > MAX_HEADER_FIELDS * 2) this.fail(tooManyFields());
    else this.#listener.onHead(status, headers);
  }

  #onInterim(status: number): void {
    this.#interimResponses += 1;
    if (status === 101) this.fail(protocolSwitched());
    else if (this.#interimResponses > MAX_INTERIM_RESPONSES) this.fail(tooManyInterim());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#announcedBytes -= chunk.length;
    this.#connection.noteProgress();
    if (this.#discarding !== null) {
      this.#discarding.bytesLeft -= chunk.length;
      if (this.#discarding.bytesLeft < 0) this.cancel();
    } else if (!this.#isOver) this.#listener.onData(chunk);
  }

  onResponseEnd(): void {
    // A body delimited by the end of the connection is complete only if that was no reset (RFC 9112 §8);
    // undici accepts both.
    const { errored } = this.#connection.socket;
    if (errored !== null) {
      this.fail(errored);
      return;
    }
    if (!this.#end()) return;
    this.#connection.release();
    if (this.#discarding === null) this.#listener.onEnd();
    else this.#listener.onCancel();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error.message === UPGRADE_ERROR ? protocolSwitched(error) : error);
  }
}

function protocolSwitched(cause?: Error): Refusal {
  return new Refusal('the host switched protocols', {
    publicFailure: 'could not be read: its host switches to another protocol (101), which was not requested',
    cause,
  });
}

function tooManyInterim(): Refusal {
  return new Refusal('too many interim responses', {
    publicFailure: `could not be read: its host sends more than ${MAX_INTERIM_RESPONSES} interim responses (1xx)`,
  });
}

function tooManyFields(): Refusal {
  return new Refusal('too many header fields', {
    publicFailure: `could not be read: its host sends more than ${MAX_HEADER_FIELDS} header fields`,
  });
}
