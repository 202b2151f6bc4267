/** The response of an operation as the result of a tool. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ApiError } from '#errors';
import { formatErrorBody } from '../error-responses.ts';

/** The response of an operation. */
export interface OperationResponse {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | number | undefined>>;
  stream: () => Readable;
}

/** A result of `tools/call`. */
export interface ToolResult {
  content: ({ type: 'text'; text: string } | { type: 'resource'; resource: EmbeddedPdf })[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

interface EmbeddedPdf {
  uri: string;
  mimeType: string;
  blob: string;
}

/** A result whose large parts are inserted when it is sent. */
export interface ToolOutcome {
  result: ToolResult;
  insertions: Insertion[];
}

/** Converts the response of an operation. Reads its body, unless it is a PDF. */
export async function toToolOutcome(response: OperationResponse): Promise<ToolOutcome> {
  if (response.headers['content-type'] === 'application/pdf') return embedPdf(response);
  const body = Buffer.concat(await response.stream().toArray());
  return response.statusCode === 200 ? insertJson(body) : { result: toError(response, body), insertions: [] };
}

/** Returns the outcome of a call that was refused before its operation. */
export function refuseCall(error: ApiError, requestId: string): ToolOutcome {
  const text = formatErrorBody(error, requestId);
  return {
    result: { content: [{ type: 'text', text }], isError: true, _meta: { status: error.status } },
    insertions: [],
  };
}

/** The JSON of a result is inserted twice, as text and as it is: it can have megabytes. */
function insertJson(body: Buffer): ToolOutcome {
  const text = randomUUID();
  const structured = randomUUID();
  return {
    result: { content: [{ type: 'text', text }], structuredContent: { [structured]: true } },
    insertions: [
      { placeholder: text, bytes: body.length, produce: () => escapeJson(body) },
      { placeholder: `{"${structured}":true}`, bytes: body.length, produce: () => yieldOnce(body) },
    ],
  };
}

function toError({ statusCode: status, headers }: OperationResponse, body: Buffer): ToolResult {
  const wait = headers['retry-after'];
  const advice = wait === undefined ? [] : [{ type: 'text' as const, text: `Retry-After: ${String(wait)}` }];
  return {
    content: [{ type: 'text', text: rewordError(body.toString()) }, ...advice],
    isError: true,
    _meta: { status, ...(wait !== undefined && { retry_after_seconds: Number(wait) }) },
  };
}

function embedPdf({ headers, stream }: OperationResponse): ToolOutcome {
  // Base64, as the schema of the protocol requires.
  const blob = Buffer.from(randomUUID()).toString('base64');
  const uri = `file:///${encodeURIComponent(parseFilename(String(headers['content-disposition'])))}`;
  const summary = {
    pages: Number(headers['x-pdf-pages']),
    bytes: Number(headers['content-length']),
    warnings: Number(headers['x-pdf-warnings']),
    first_warnings: [headers['x-pdf-warning'] ?? []].flat(),
  };
  return {
    result: {
      content: [
        { type: 'resource', resource: { uri, mimeType: 'application/pdf', blob } },
        { type: 'text', text: JSON.stringify(summary) },
      ],
    },
    insertions: [{ placeholder: blob, bytes: summary.bytes, produce: () => encodeBase64(stream()) }],
  };
}

/** Returns the file name of a Content-Disposition that `formatContentDisposition` has made. */
function parseFilename(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]*)"/.exec(disposition)?.[1] ?? 'document.pdf';
}

/** Parts of messages that are about the query of a URL, and what they are for the arguments of a tool. */
const REWORDED: readonly (readonly [part: RegExp, text: string])[] = [
  [
    /The (\w+) parameter is (missing|empty): send [^"]* as \?\w+=…, percent-encoded\./,
    'The argument $1 is $2.',
  ],
  [/ If it belongs to the url, percent-encode the url: an unencoded & ends it\./, ''],
];

/** Returns the error body of an operation in the words of a tool: arguments are not percent-encoded. */
function rewordError(body: string): string {
  return REWORDED.reduce((text, [part, reworded]) => text.replace(part, reworded), body);
}

// Large values of a JSON text, written while it is sent: the protocol's library sees short placeholders
// and neither checks nor copies the values in one turn of the event loop.

/** A value that is sent in place of a text that occurs once. */
export interface Insertion {
  placeholder: string;
  /** The size of the value before it is escaped or encoded. */
  bytes: number;
  produce: () => AsyncIterable<Buffer | string>;
}

/** Yields `text` with the insertions in place of their placeholders. */
export async function* insertValues(
  text: string,
  insertions: readonly Insertion[],
): AsyncGenerator<Buffer | string> {
  const places = insertions
    .map(({ placeholder, produce }) => ({
      at: text.indexOf(placeholder),
      length: placeholder.length,
      produce,
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  let from = 0;
  for (const { at, length, produce } of places) {
    yield text.slice(from, at);
    yield* produce();
    from = at + length;
  }
  yield text.slice(from);
}

const SLICE_BYTES = 64 * 1024;

/** Yields bytes of UTF-8 as the inner of a JSON string. */
async function* escapeJson(bytes: Buffer): AsyncGenerator<string> {
  // A character that a slice cuts belongs to the next one.
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const slice = decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true });
    yield JSON.stringify(slice).slice(1, -1);
  }
}

/** Yields bytes as base64. */
async function* encodeBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    for (let at = 0; at < whole; at += BASE64_SLICE_BYTES)
      yield bytes.toString('base64', at, Math.min(at + BASE64_SLICE_BYTES, whole));
  }
  yield rest.toString('base64');
}

/** A multiple of 3. */
const BASE64_SLICE_BYTES = 3 * 64 * 1024;

async function* yieldOnce(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
