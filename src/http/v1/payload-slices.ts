import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

const SLICE_BYTES = 256 * 1024;

/**
 * Returns bytes as the payload of a response. For an injected request they are slices, at the pace of its
 * reader: Fastify's inject copies each piece in one turn of the event loop, and 180 MB take 300 ms.
 */
export function toPayload({ raw }: Pick<FastifyRequest, 'raw'>, bytes: Uint8Array): Uint8Array | Readable {
  const isInjected = !(raw instanceof IncomingMessage);
  return isInjected && bytes.length > SLICE_BYTES ? Readable.from(sliceBytes(bytes)) : bytes;
}

/** Sends the lines of a batch as they are yielded. */
export function sendLines(reply: FastifyReply, lines: AsyncIterable<string | Uint8Array>): FastifyReply {
  return (
    reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      // nginx would hold lines back until its buffer is full.
      .header('x-accel-buffering', 'no')
      .send(Readable.from(lines))
  );
}

/** Yields bytes in slices of 256 KiB. */
export function* sliceBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

/** Characters that are serialized in one turn of the event loop, in about a millisecond at most. */
const SLICE_LENGTH = 64 * 1024;

/** True if the object has a text that takes more than one turn of the event loop. */
export function hasLongText(value: object): boolean {
  return Object.values(value).some(isLongText);
}

function isLongText(value: unknown): value is string {
  return typeof value === 'string' && value.length > SLICE_LENGTH;
}

/**
 * Yields the JSON of an object in pieces, equal to JSON.stringify. Other requests are served between the
 * slices of a text.
 */
export async function* serializeInSlices(value: object): AsyncGenerator<string, void, undefined> {
  let separator = '{';
  for (const [name, member] of Object.entries(value)) {
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (isLongText(member)) yield* serializeText(member);
    else yield JSON.stringify(member);
  }
  yield '}';
}

async function* serializeText(text: string): AsyncGenerator<string, void, undefined> {
  yield '"';
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + SLICE_LENGTH;
    // A surrogate pair stays in one slice: half a pair would be escaped.
    if (isSurrogate(text, end - 1, 0xd800) && isSurrogate(text, end, 0xdc00)) end += 1;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    await setImmediate();
  }
  yield '"';
}

/** True if the unit is a high surrogate (`first` is 0xd800) or a low one (0xdc00). */
function isSurrogate(text: string, at: number, first: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === first;
}
