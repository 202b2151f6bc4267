import type { Dispatcher } from 'undici';
import type { Connection } from './connection.ts';
import { readHeaderValues, type RawHeaders } from './headers.ts';
import { Refusal } from '../guard/refusal.ts';

/** A host that sends more interim responses (1xx) than this is not going to answer. */
const MAX_INTERIM_RESPONSES = 16;
const MAX_HEADER_FIELDS = 1000;
/** What the rest of an answer of which we had enough may have, and take, for its connection to be kept: a new one costs more. */
const MAX_LEFT_BYTES = 256 * 1024;
const MAX_LEFT_MS = 100;

export interface ExchangeRequest {
  method: string;
  /** Path and query, as in the request line. */
  path: string;
  /** Names and values by turns. */
  headers: string[];
  body?: Uint8Array;
}

/** Takes a response as it arrives; after `onEnd` or `onError` nothing more is called. */
export interface ExchangeListener {
  onHead(status: number, headers: RawHeaders): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(error: unknown): void;
  /** It was stopped from our side. */
  onStop(): void;
}

/** One request and its response on a connection. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #listener: ExchangeListener;
  #controller: Dispatcher.DispatchController | null = null;
  #interimResponses = 0;
  #isOver = false;
  /** Body bytes that were announced and have not come; NaN where nothing was announced. */
  #announcedBytes = NaN;
  /** While what is left is discarded: how much more of it is waited for. */
  #leaving: { bytesLeft: number; timer: NodeJS.Timeout } | null = null;
  /** Whether any byte of an answer came: after that a request is not sent again. */
  hasAnswer = false;

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

  /** Wants nothing more: closes the connection and is silent from now on. */
  stop(): void {
    if (!this.#end()) return;
    this.#connection.destroy();
    this.#listener.onStop();
  }

  /** Wants nothing more, like `stop`, but lets a short rest of the body come in, so that the connection can be used again. */
  leave(): void {
    if (this.#isOver || this.#leaving !== null) return;
    if (this.#announcedBytes > MAX_LEFT_BYTES) {
      this.stop();
      return;
    }
    const timer = setTimeout(() => this.stop(), MAX_LEFT_MS).unref();
    this.#leaving = { bytesLeft: MAX_LEFT_BYTES, timer };
    this.#controller?.resume();
  }

  /** Ends it with an error of our own. */
  fail(error: unknown): void {
    if (!this.#end()) return;
    this.#connection.destroy();
    if (this.#leaving === null) this.#listener.onError(error);
    else this.#listener.onStop();
  }

  /** False where it was over before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#leaving?.timer);
    return true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStarted(): void {
    this.hasAnswer = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#isOver) return;
    if (status < 200) {
      this.#interimResponses += 1;
      if (this.#interimResponses > MAX_INTERIM_RESPONSES)
        this.fail(new Refusal('too many interim responses'));
      return;
    }
    this.#connection.isHeadAwaited = false;
    this.#connection.noteProgress();
    const headers = controller.rawHeaders as Buffer[];
    const [length] = readHeaderValues(headers, 'content-length');
    if (length !== undefined) this.#announcedBytes = Number(length.toString('latin1'));
    if (headers.length > MAX_HEADER_FIELDS * 2) this.fail(new Refusal('too many header fields'));
    else this.#listener.onHead(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#announcedBytes -= chunk.length;
    this.#connection.noteProgress();
    if (this.#leaving !== null) {
      this.#leaving.bytesLeft -= chunk.length;
      if (this.#leaving.bytesLeft < 0) this.stop();
    } else if (!this.#isOver) this.#listener.onData(chunk);
  }

  onResponseEnd(): void {
    // A body that only the closing connection ends is whole only where it closes in order (RFC 9112 §8); undici takes a reset for its end.
    const { errored } = this.#connection.socket;
    if (errored !== null) {
      this.fail(errored);
      return;
    }
    if (!this.#end()) return;
    this.#connection.release();
    if (this.#leaving === null) this.#listener.onEnd();
    else this.#listener.onStop();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }
}
