/** The response of an operation as the result of a tool. */
import type { ApiError } from '#errors';
import { randomUUID } from 'node:crypto';
import { formatErrorBody } from '../error-responses.ts';
import type { OperationResponse } from './call-operation.ts';
import { rewordError } from './reword-error.ts';
import { encodeBase64, escapeJson, type Insertion, yieldOnce } from './insertions.ts';

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
