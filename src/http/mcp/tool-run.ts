import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { abortOnDisconnect } from '../wire/disconnection.ts';
import { callOperation, type OperationResponse } from './call-operation.ts';
import type { Insertion } from './insertions.ts';
import type { ToolCall } from './message-body.ts';
import { refuseCall, type ToolOutcome, type ToolResult, toToolOutcome } from './tool-result.ts';
import type { Tool } from './tools.ts';

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
