/** Request bodies from the socket to the request: scanned while they arrive, then parsed and validated. */
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { ApiError } from '#errors';
import { continueInTurn, hasTurnTime, onAbort } from '#concurrency';
import { beginBody } from '../body.ts';
import { requireCaller } from '../../v1/admit-request.ts';
import type { RequestHold } from '../../v1/request-holds.ts';
import { type BodyFormat, BodyMemory, SMALL_BODY_BYTES, parseBody } from './body-format.ts';
import type { ParseQueue } from './parse-queue.ts';
import { bodyTooLarge } from '../../error-responses.ts';
import { ClientDisconnected } from '../disconnection.ts';
import { ChunkCounter, type JsonLimits } from './body-limits.ts';
import { JsonScan } from './scan-json.ts';

/** Counts the memory of a body, and ends its request. */
type BodyHold = Pick<RequestHold, 'signal' | 'setBytes'>;

/**
 * Reads, parses and validates the body of an admitted request; a large body is parsed in a thread. Its
 * bytes are held while it arrives and is parsed, then those of the parsed request. Rejects with ApiError,
 * with the reason of the hold's signal, or with ClientDisconnected.
 */
export type ReadJson = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  format: BodyFormat<T>,
  hold: BodyHold,
) => Promise<T>;

export function createJsonReader(queue: ParseQueue): ReadJson {
  return async (request, reply, format, hold) => {
    const bytes = await readBody(beginBody(request, reply), {
      maxBytes: format.maxBytes,
      announcedBytes: getAnnouncedBytes(request),
      limits: format.readText ? null : format.limits,
      reserve: (held) => hold.setBytes(held),
      signal: hold.signal,
    });
    if (bytes.length <= SMALL_BODY_BYTES) return parseBody(format, bytes);
    const task = { format: format.name, bytes };
    const value = (await queue.run(task, requireCaller(request), hold.signal)) as ReturnType<
      typeof format.parse
    >;
    hold.setBytes(format.measure(value));
    return value;
  };
}

/** Reads and parses a small body, whose memory counts for no account. */
export async function readSmallJson<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  format: BodyFormat<T>,
): Promise<T> {
  const bytes = await readBody(beginBody(request, reply), {
    maxBytes: Math.min(format.maxBytes, SMALL_BODY_BYTES),
    announcedBytes: getAnnouncedBytes(request),
    limits: format.limits,
    reserve: () => {},
  });
  return parseBody(format, bytes);
}

function getAnnouncedBytes({ headers }: FastifyRequest): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

export interface ReadBodyOptions {
  maxBytes: number;
  /** The length that the request announces, if any. */
  announcedBytes: number | null;
  /** Null if the body is no JSON. */
  limits: JsonLimits | null;
  /**
   * Called before memory grows, with the bytes that the body then holds. An error that it throws ends the
   * reading.
   */
  reserve: (bytes: number) => void;
  /** Aborting ends the reading with the signal's reason. */
  signal?: AbortSignal;
}

/** Memory is reserved in steps of this size, and large chunks are scanned in slices of it. */
const STEP_BYTES = 64 * 1024;
/** Error codes of a stream whose client has disconnected. */
const DISCONNECTS = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/**
 * Reads a body to its end, and scans it as it arrives. Rejects with ApiError when it exceeds a limit, and
 * with ClientDisconnected when the client disconnects; its memory is then released and the rest of it is
 * discarded.
 */
export function readBody(stream: RequestPayload, options: ReadBodyOptions): Promise<Uint8Array> {
  const { maxBytes, announcedBytes } = options;
  if ((announcedBytes ?? 0) > maxBytes) return Promise.reject(bodyTooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    new BodyReading(stream, options, { resolve, reject }).start();
  });
}

interface Outcome {
  resolve: (bytes: Uint8Array) => void;
  reject: (error: Error) => void;
}

class BodyReading {
  readonly #stream: RequestPayload;
  readonly #options: ReadBodyOptions;
  readonly #outcome: Outcome;
  readonly #scan: JsonScan | null;
  readonly #memory: BodyMemory;
  readonly #chunks = new ChunkCounter();
  readonly #capacity: number;
  #reserved = 0;
  #isOver = false;
  #hasEnded = false;
  /** Received bytes that wait for a later turn. */
  #backlog: Buffer | null = null;
  #stopListening = (): void => {};

  constructor(stream: RequestPayload, options: ReadBodyOptions, outcome: Outcome) {
    this.#stream = stream;
    this.#options = options;
    this.#outcome = outcome;
    this.#capacity = options.announcedBytes ?? options.maxBytes;
    this.#scan = options.limits && new JsonScan(options.limits);
    this.#memory = new BodyMemory(this.#capacity);
  }

  start(): void {
    const { signal } = this.#options;
    if (signal?.aborted) return this.#fail(signal.reason as Error);
    // A stream that was destroyed before anything listened emits nothing more.
    if (this.#isDestroyed()) return this.#fail(new ClientDisconnected());
    this.#stopListening = onAbort(signal, (reason) => this.#fail(reason as Error));
    this.#stream.on('data', this.#onData);
    this.#stream.on('end', this.#onEnd);
    this.#stream.on('error', this.#onError);
    this.#stream.on('close', this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#chunks.count(chunk.length);
    } catch (error) {
      return this.#fail(error as Error);
    }
    this.#process(chunk);
  };

  #process(chunk: Buffer): void {
    try {
      this.#backlog = this.#appendInTurn(chunk);
    } catch (error) {
      return this.#fail(error as Error);
    }
    if (this.#backlog === null) return;
    this.#stream.pause();
    continueInTurn(this.#resume);
  }

  /** Appends a chunk in slices while this turn has time. Returns what is left. */
  #appendInTurn(chunk: Buffer): Buffer | null {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      if (!hasTurnTime()) return chunk.subarray(at);
      this.#append(chunk.subarray(at, at + STEP_BYTES));
    }
    return null;
  }

  #append(slice: Buffer): void {
    const length = this.#memory.length + slice.length;
    if (length > this.#capacity)
      throw this.#options.announcedBytes === null ? bodyTooLarge(this.#options.maxBytes) : brokenOff();
    if (length > this.#reserved) {
      this.#reserved = Math.min(this.#capacity, Math.ceil(length / STEP_BYTES) * STEP_BYTES);
      this.#options.reserve(this.#reserved);
    }
    this.#scan?.push(slice);
    this.#memory.append(slice);
  }

  readonly #resume = (): void => {
    if (this.#isOver || this.#backlog === null) return;
    this.#process(this.#backlog);
    if (this.#isOver || this.#backlog !== null) return;
    if (this.#hasEnded) this.#finish();
    else this.#stream.resume();
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#backlog === null) this.#finish();
  };

  readonly #onError = (error: Error & { code?: string }): void => {
    this.#fail(DISCONNECTS.has(error.code ?? '') ? new ClientDisconnected() : error);
  };

  readonly #onClose = (): void => {
    if (!this.#hasEnded) this.#fail(new ClientDisconnected());
  };

  #finish(): void {
    const { announcedBytes } = this.#options;
    if (announcedBytes !== null && this.#memory.length !== announcedBytes) return this.#fail(brokenOff());
    if (this.#end()) this.#outcome.resolve(this.#memory.toBytes());
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    this.#memory.release();
    this.#backlog = null;
    this.#stream.resume();
    this.#outcome.reject(error);
  }

  #isDestroyed(): boolean {
    return (this.#stream as { destroyed?: boolean }).destroyed === true;
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#stopListening();
    this.#stream.off('data', this.#onData);
    this.#stream.off('end', this.#onEnd);
    this.#stream.off('error', this.#onError);
    this.#stream.off('close', this.#onClose);
    return true;
  }
}

function brokenOff(): ApiError {
  return new ApiError('invalid_json', 'The request ended before its whole body was sent.');
}
