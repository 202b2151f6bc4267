/** Calls of operations: requests to their routes under /v1, injected with the caller's own key. */
import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { Readable } from 'node:stream';
import { sliceBytes } from '../v1/to-payload.ts';
import { formatTarget } from '../request-target.ts';
import { formatName } from '../query.ts';
import type { Tool } from './tools.ts';

/** The response of an operation. */
export interface OperationResponse {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | number | undefined>>;
  stream: () => Readable;
}

/** The head of an HTTP request has the same limit. */
const MAX_TARGET_CHARACTERS = 16 * 1024;

/**
 * Calls the operation of `tool`: the same admission, limits, shares and usage as a request over HTTP. The
 * shares are held until the response of the outer request is sent. Rejects with ApiError, or with the reason
 * of the signal.
 */
export async function callOperation(
  app: FastifyInstance,
  tool: Tool,
  args: Uint8Array,
  { request, reply, signal }: { request: FastifyRequest; reply: FastifyReply; signal: AbortSignal },
): Promise<OperationResponse> {
  const call = tool.method === 'GET' ? createGetCall(tool, args) : createPostCall(tool, args);
  const headers = { ...call.headers, 'x-api-key': request.headers['x-api-key'], accept: 'application/json' };
  signal.throwIfAborted();
  try {
    return await app.holds.injectFor(reply.raw, (outer) =>
      app.inject({
        ...call,
        headers: { ...headers, ...outer },
        remoteAddress: request.ip,
        signal,
        payloadAsStream: true,
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

function createGetCall({ path, definition }: Tool, args: Uint8Array): InjectOptions {
  const members = JSON.parse(Buffer.from(args.buffer, args.byteOffset, args.length).toString()) as object;
  const properties = definition.inputSchema['properties'] as Record<string, { type?: unknown } | undefined>;
  for (const [name, value] of Object.entries(members)) {
    const param = formatName(name);
    if (typeof value === 'object' && value !== null)
      throw new ApiError('invalid_parameter', `${param} must be a text, a number, true or false.`, { param });
    // As a query it would be the text: the address "5".
    const isText = Object.hasOwn(properties, name) && properties[name]?.type === 'string';
    if (isText && (typeof value === 'number' || typeof value === 'boolean'))
      throw new ApiError('invalid_parameter', `${param} must be a text, not ${String(value)}.`, { param });
  }
  const url = formatTarget(path, members as Record<string, unknown>);
  if (url.length > MAX_TARGET_CHARACTERS)
    throw new ApiError('invalid_parameter', 'The arguments are too long: keep them under 16 KiB together.');
  return { method: 'GET', url };
}

function createPostCall({ path }: Tool, args: Uint8Array): InjectOptions {
  const headers = { 'content-type': 'application/json', 'content-length': String(args.length) };
  return { method: 'POST', url: path, headers, payload: Readable.from(sliceBytes(args)) };
}
