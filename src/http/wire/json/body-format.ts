import { ApiError } from '#errors';
import { releaseBytes } from './body-memory.ts';
import { type JsonLimits, notAnObject } from './json-limits.ts';

/** The body of one operation: its limits, and how its members become a request. */
export interface BodyFormat<T> {
  /** Its key in BODY_FORMATS, by which the worker finds it. */
  name: string;
  maxBytes: number;
  limits: JsonLimits;
  /** Checks the members. Throws ApiError. The result crosses threads: plain data only. */
  parse: (members: Record<string, unknown>) => T;
  /** Returns the bytes of memory that the result holds. */
  measure(value: T): number;
  /** Lists the buffers of a result that are moved to the other thread; without it, all are cloned. */
  listBuffers?(value: T): ArrayBuffer[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a whole body and releases its bytes. Throws ApiError: `notObject` of the format if it is no JSON
 * object.
 */
export function parseBody<T>(format: BodyFormat<T>, bytes: Uint8Array): T {
  if (bytes.length === 0) throw new ApiError(format.limits.notObject);
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw notAnObject(format.limits.notObject, describeType(value));
  return format.parse(value as Record<string, unknown>);
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    releaseBytes(bytes);
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid_json', undefined, { cause });
  }
}
