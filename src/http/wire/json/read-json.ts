/** Request bodies from the socket to the request: scanned while they arrive, then parsed and validated. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginBody } from '../body.ts';
import type { RequestHold } from '../../v1/request-holds.ts';
import { type BodyFormat, parseBody } from './body-format.ts';
import { SMALL_BODY_BYTES } from './body-memory.ts';
import type { ParseQueue } from './parse-queue.ts';
import { readBody } from './read-body.ts';

/** Counts the memory of a body, and ends its request. */
export type BodyHold = Pick<RequestHold, 'signal' | 'setBytes'>;

/**
 * Reads, parses and validates the body of an admitted request; a large body is parsed in the worker. Its
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
      limits: format.limits,
      reserve: (held) => hold.setBytes(held),
      signal: hold.signal,
    });
    if (bytes.length <= SMALL_BODY_BYTES) return parseBody(format, bytes);
    const value = (await queue.run({ format: format.name, bytes }, hold.signal)) as ReturnType<
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
