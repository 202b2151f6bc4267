import type { FastifyRequest } from 'fastify';
import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

const SLICE_BYTES = 256 * 1024;

/**
 * Returns bytes as the payload of a response. For an injected request they are slices, at the pace of its
 * reader: Fastify's inject copies each piece in one turn of the event loop, and 180 MB take 300 ms.
 */
export function toPayload({ raw }: Pick<FastifyRequest, 'raw'>, bytes: Uint8Array): Uint8Array | Readable {
  const isInjected = !(raw instanceof IncomingMessage);
  return isInjected && bytes.length > SLICE_BYTES ? Readable.from(sliceBytes(bytes)) : bytes;
}

/** Yields bytes in slices of 256 KiB. */
export function* sliceBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
