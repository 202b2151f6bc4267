import { ApiError, type ErrorCode } from '#errors';

export interface ValueLimits {
  /** The depth of nested arrays and objects: 0 for a string, 1 for a flat array. */
  depth: number;
  /** Elements and members inside the value, at every depth. */
  values: number;
  /** The bytes of the value, in a budget of its own. Without it, it counts toward the whole text. */
  bytes?: number;
  /** The error of a value over its limits, with the member's name as `param`; `invalid_json` by default. */
  code?: ErrorCode;
}

/** Limits that no valid request of an operation exceeds. */
export interface JsonLimits {
  /** Bytes of the text without the members that have a budget of their own; as long as a body by default. */
  bytes?: number;
  /** Members of the object. A repeated member counts each time. */
  members: number;
  /** Limits of a member by its name. The values of a repeated member are counted together. */
  byMember: Readonly<Record<string, ValueLimits>>;
  /** Limits of all other members; their values are counted together. */
  others: ValueLimits;
  /** The error of a text that is an array. */
  notObject: ErrorCode;
}

/** Returns the error of a body that is valid JSON but `found`, and not an object. */
export function notAnObject(code: ErrorCode, found: string): ApiError {
  return new ApiError(
    code,
    code === 'invalid_json' ? `Send one JSON object as the body: it is ${found}.` : undefined,
  );
}

/** Returns the error of a body over its limits. `name` is the member at fault, null if no single one is. */
export function limitExceeded(name: string | null, { code }: ValueLimits, fault: string): ApiError {
  // Without a name, only a text that is an array has a code.
  if (code !== undefined && name === null) return notAnObject(code, 'an array');
  if (code !== undefined) return new ApiError(code, undefined, { param: name as string });
  const message = `${name ?? 'The body'} ${fault}, which no valid request of this operation needs: send less.`;
  return new ApiError('invalid_json', message, name === null ? {} : { param: name });
}

/** Returns the error of a text over a budget of bytes. `name` is the member that has the budget, or null. */
export function tooManyBytes(name: string | null, bytes: number): ApiError {
  const limit = `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MiB (${bytes.toLocaleString('en')} bytes)`;
  return name === null
    ? new ApiError(
        'payload_too_large',
        `The body is over ${limit} without its largest members, more than this operation takes: send less.`,
      )
    : new ApiError(
        'payload_too_large',
        `${name} is over ${limit} of JSON, more than it can need: send less.`,
        {
          param: name,
        },
      );
}

/** This many chunks may have any size. */
const FREE_CHUNKS = 4_096;
/**
 * The size that clients are asked for. Half of it on average is accepted: a chunk may arrive in two parts.
 */
const CHUNK_BYTES = 64;

/** The error of a body in tiny chunks. */
export class TinyChunksError extends ApiError {
  constructor() {
    super(
      'invalid_parameter',
      `The body arrives in chunks of a few bytes: send chunks of at least ${CHUNK_BYTES} bytes, or a Content-Length.`,
    );
  }
}

/**
 * Ends bodies that arrive in tiny chunks. Node spends 2 µs per chunk: without a limit, one body of single
 * bytes would keep the process busy for more than a minute.
 */
export class ChunkCounter {
  #chunks = 0;
  #bytes = 0;

  /** Counts a chunk. Throws TinyChunksError if the chunks so far are too small. */
  count(bytes: number): void {
    this.#chunks += 1;
    this.#bytes += bytes;
    if (this.#chunks > FREE_CHUNKS && this.#bytes < (this.#chunks * CHUNK_BYTES) / 2)
      throw new TinyChunksError();
  }
}
