/**
 * The protocol, by the official SDK: its revisions with a handshake, and the revision of 2026-07-28, which
 * has none.
 */
import type * as McpSdk from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { formatName } from '../query.ts';
import type { ToolResult } from './tool-result.ts';
import type { ToolDefinition } from './tools.ts';

export interface Exchange {
  request: FastifyRequest;
  /** One JSON-RPC message, not checked yet. */
  message: Record<string, unknown>;
  version: string;
  tools: readonly ToolDefinition[];
  /** Runs the tool that the message calls; null if there is none of this name. */
  runTool: (() => Promise<ToolResult>) | null;
}

/** The response: JSON, or nothing. */
export interface ProtocolResponse {
  status: number;
  text: string;
}

type Sdk = typeof McpSdk;

let loading: Promise<Sdk> | undefined;

/** Loads the SDK at first use: not every service gets messages. */
function loadSdk(): Promise<Sdk> {
  loading ??= import('@modelcontextprotocol/server').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

const INSTRUCTIONS =
  'Validates email addresses, reads the metadata of web pages and renders HTML to PDF. Each call counts against the rate limit of the API key, as over HTTP. An error is a result with isError, whose text is JSON: {"error", "message", "request_id"}.';

/** Answers one message, with a server of its own: there is no session. */
export async function answerMessage(exchange: Exchange): Promise<ProtocolResponse> {
  const sdk = await loadSdk();
  const { message } = exchange;
  if (message['method'] === 'subscriptions/listen') return refuseMethod(message);
  const request = toWebRequest(exchange.request);
  const server = createServer(sdk, exchange);
  try {
    const isLegacy = await sdk.isLegacyRequest(request, message);
    const response = isLegacy
      ? await answerLegacy(sdk, server, request, message)
      : await sdk
          .createMcpHandler(() => server, { legacy: 'reject' })
          .fetch(request, { parsedBody: message });
    return { status: response.status, text: await response.text() };
  } finally {
    await server.close();
  }
}

/** Answers a message of a revision with a handshake, which a server without sessions need not remember. */
async function answerLegacy(
  sdk: Sdk,
  server: McpSdk.Server,
  request: Request,
  message: unknown,
): Promise<Response> {
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

function createServer(sdk: Sdk, { version, tools, runTool }: Exchange): McpSdk.Server {
  const server = new sdk.Server(
    { name: 'utility-api', title: 'Utility API', version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      // The operations check their own input. The SDK's default takes milliseconds to create.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  server.setRequestHandler('tools/call', async ({ params: { name } }) => {
    if (runTool !== null) return { ...(await runTool()) };
    throw new sdk.ProtocolError(
      sdk.ProtocolErrorCode.InvalidParams,
      `There is no tool ${formatName(name)}: the tools are ${tools.map((tool) => tool.name).join(', ')}.`,
    );
  });
  return server;
}

/** Subscriptions are streams, and the tools of a server do not change. */
function refuseMethod({ id }: Record<string, unknown>): ProtocolResponse {
  const error = { code: -32_601, message: 'Method not found' };
  const isId = typeof id === 'string' || typeof id === 'number';
  return { status: 404, text: JSON.stringify({ jsonrpc: '2.0', error, id: isId ? id : null }) };
}

const FORWARDED = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Returns the head of a request as the SDK takes it. The client may accept any media type. */
function toWebRequest({ headers }: FastifyRequest): Request {
  const forwarded = FORWARDED.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [
      ...forwarded,
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
    ],
  });
}
