/** The body of POST /mcp: one JSON-RPC message. */
import { ApiError } from '#errors';
import { MAX_PDF_BODY_BYTES } from '../v1/pdf-body.ts';
import type { BodyFormat } from '../wire/json/body-format.ts';

/** A call of a tool. */
export interface ToolCall {
  name: string;
  /** Its arguments as JSON: the body of a POST, or the members of a query. */
  arguments: Uint8Array;
}

export interface McpMessage {
  /** The message as sent; the arguments of a call are left out of it. */
  message: Record<string, unknown>;
  /** Null if the message calls no tool, or is malformed. */
  call: ToolCall | null;
  /** The memory that both hold. */
  bytes: number;
}

/** The longest message besides the arguments of a call. The main thread handles it in one turn. */
const ENVELOPE_BYTES = 64 * 1024;

/** Large messages are parsed in a worker thread, which also writes the arguments as the body of the call. */
export const MCP_BODY: BodyFormat<McpMessage> = {
  name: 'mcp',
  maxBytes: MAX_PDF_BODY_BYTES + ENVELOPE_BYTES,
  limits: {
    members: 100,
    // The arguments are in `params`, two levels deeper than in the body of the operation.
    byMember: { params: { depth: 64, values: 36_000 } },
    others: { depth: 16, values: 1_000 },
    notObject: 'invalid_json',
  },
  parse: parseMessage,
  measure: ({ bytes }) => bytes,
  listBuffers: ({ call }) => (call === null ? [] : [call.arguments.buffer as ArrayBuffer]),
};

function parseMessage(members: Record<string, unknown>): McpMessage {
  const { method, params } = members;
  if (method === 'tools/call' && isObject(params)) {
    const { name, arguments: values } = params;
    const args = values === undefined ? {} : values;
    if (typeof name === 'string' && isObject(args)) {
      const call = { name, arguments: new TextEncoder().encode(JSON.stringify(args)) };
      return measure({ ...members, params: { ...params, arguments: {} } }, call);
    }
  }
  return measure(members, null);
}

function measure(message: Record<string, unknown>, call: ToolCall | null): McpMessage {
  const characters = JSON.stringify(message).length;
  if (characters > ENVELOPE_BYTES)
    throw new ApiError(
      'payload_too_large',
      'The message is over 64 KiB besides the arguments of a tool: send less.',
    );
  return { message, call, bytes: characters + (call?.arguments.length ?? 0) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
