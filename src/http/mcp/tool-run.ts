/** Calls of tools: requests to the routes under /v1, injected with the caller's own key. */
import { Readable } from 'node:stream';
import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { abortOnDisconnect } from '../wire/disconnection.ts';
import {
  type Insertion,
  type OperationResponse,
  type ToolOutcome,
  type ToolResult,
  refuseCall,
  toToolOutcome,
} from './tool-result.ts';
import type { ToolCall } from './message-body.ts';
import type { Tool } from './tools.ts';
import { sliceBytes } from '../v1/payload-slices.ts';
import { formatName, formatTarget } from '../query.ts';

/** Headers of the operation's response that the response to the message has too. */
const FORWARDED_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
  'retry-after',
  'x-request-id',
];

/** One run of a tool for a request to /mcp. */
export class ToolRun {
  /** True if the operation has received the request, and has counted it. */
  isCounted = false;
  /** The large values of the result. */
  insertions: readonly Insertion[] = [];
  readonly #app: FastifyInstance;
  readonly #tool: Tool;
  readonly #call: ToolCall;
  readonly #exchange: { request: FastifyRequest; reply: FastifyReply; signal: AbortSignal };
  #failure: unknown = null;

  constructor(
    app: FastifyInstance,
    tool: Tool,
    call: ToolCall,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ) {
    this.#app = app;
    this.#tool = tool;
    this.#call = call;
    this.#exchange = { request, reply, signal: abortOnDisconnect(reply) };
  }

  /** Calls the operation. Its errors are results. Never rejects: see `throwFailure`. */
  async run(): Promise<ToolResult> {
    try {
      const { result, insertions } = await this.#callOperation();
      this.insertions = insertions;
      return result;
    } catch (error) {
      this.#failure = error;
      return { content: [] };
    }
  }

  /** Throws what failed outside the operation: the protocol would put its message into a response. */
  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async #callOperation(): Promise<ToolOutcome> {
    const { request, reply } = this.#exchange;
    let response: OperationResponse;
    try {
      response = await callOperation(this.#app, this.#tool, this.#call.arguments, this.#exchange);
    } catch (error) {
      if (error instanceof ApiError) return refuseCall(error, request.id);
      throw error;
    }
    this.isCounted = true;
    for (const name of FORWARDED_HEADERS) {
      const value = response.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return toToolOutcome(response);
  }
}

/** The head of an HTTP request has the same limit. */
const MAX_TARGET_CHARACTERS = 16 * 1024;

/**
 * Calls the operation of `tool`: the same admission, limits, shares and usage as a request over HTTP. The
 * shares are held until the response of the outer request is sent. Rejects with ApiError, or with the reason
 * of the signal.
 */
async function callOperation(
  app: FastifyInstance,
  tool: Tool,
  args: Uint8Array,
  { request, reply, signal }: { request: FastifyRequest; reply: FastifyReply; signal: AbortSignal },
): Promise<OperationResponse> {
  const call = tool.method === 'GET' ? createGetCall(tool, args) : createPostCall(tool, args);
  const headers = { ...call.headers, 'x-api-key': request.headers['x-api-key'], accept: 'application/json' };
  signal.throwIfAborted();
  try {
    const options = { ...call, headers, remoteAddress: request.ip, signal, payloadAsStream: true } as const;
    return await app.holds.injectFor(reply.raw, async () => app.inject(options));
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
