/** POST /mcp: the operations as tools of the Model Context Protocol, without sessions and streams. */
import type { Caller } from '#accounts';
import type { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { hideRoutes } from '../openapi.ts';
import { requireCaller } from '../v1/admit-request.ts';
import type { ReadJson } from '../wire/json/read-body.ts';
import { SMALL_BODY_BYTES } from '../wire/json/body-format.ts';
import { checkHead, countMessage, createMcpAdmission, type McpAdmissionDeps } from './admit-message.ts';
import { type Insertion, insertValues } from './tool-result.ts';
import { MCP_BODY } from './message-body.ts';
import { answerMessage, type ProtocolResponse } from './protocol.ts';
import { ToolRun } from './tool-run.ts';
import { createTools, type OperationDocument, type Tool, type ToolDefinition } from './tools.ts';

/** The tools of this server, and its version. */
interface Catalog {
  tools: ReadonlyMap<string, Tool>;
  version: string;
}

/** Adds /mcp. */
export async function routeMcp(
  app: FastifyInstance,
  deps: McpAdmissionDeps,
  readJson: ReadJson,
): Promise<void> {
  const admit = createMcpAdmission(deps);
  let catalog: Catalog | undefined;
  await app.register(async (scope) => {
    hideRoutes(scope);
    // The injected request counts: admission only checks whether a request is left.
    const options = { bodyLimit: MCP_BODY.maxBytes, config: { countsItself: true } };
    scope.all('/mcp', options, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      reply.header('x-content-type-options', 'nosniff');
      const overLimit = await admit(request, reply);
      const { message, call } = await readMessage(request, reply, overLimit).catch(async (error: unknown) => {
        await countMessage(deps, request);
        throw error;
      });
      catalog ??= createCatalog(app);
      const { tools, version } = catalog;
      const tool = call === null ? undefined : tools.get(call.name);
      if (overLimit || !tool) await countMessage(deps, request);
      const run = tool && call ? new ToolRun(app, tool, call, { request, reply }) : null;
      const response = await answerMessage({
        request,
        message,
        version,
        tools: listTools(tools, requireCaller(request)),
        runTool: run && (() => run.run()),
      });
      run?.throwFailure();
      if (run?.isCounted === false) await countMessage(deps, request);
      return send(reply, response, run?.insertions ?? []);
    });
  });

  async function readMessage(request: FastifyRequest, reply: FastifyReply, overLimit: ApiError | null) {
    checkHead(request, reply, { publicUrl: deps.publicUrl, overLimit });
    const hold = app.holds.holdMemory(request, reply);
    const message = await readJson(request, reply, MCP_BODY, hold);
    // From here on the injected request holds the memory.
    hold.release();
    return message;
  }
}

/** Returns the tools that the key of a caller may call. */
function listTools(tools: Catalog['tools'], { operations }: Caller): ToolDefinition[] {
  const allowed = [...tools.values()].filter(
    ({ operation }) => operations === null || operations.includes(operation),
  );
  return allowed.map(({ definition }) => definition);
}

function createCatalog(app: FastifyInstance): Catalog {
  const document: unknown = app.swagger();
  const { info } = app.swagger();
  return { tools: createTools(document as OperationDocument), version: info.version };
}

/** Sends a response: in one piece if it is small, else at the pace of its reader. */
async function send(
  reply: FastifyReply,
  { status, text }: ProtocolResponse,
  insertions: readonly Insertion[],
): Promise<FastifyReply> {
  reply.code(status);
  if (text === '') return reply.send();
  reply.header('content-type', 'application/json; charset=utf-8');
  const values = insertValues(text, insertions);
  const isSmall = insertions.every(({ bytes }) => bytes <= SMALL_BODY_BYTES);
  if (isSmall) return reply.send((await Array.fromAsync(values)).join(''));
  return reply.send(Readable.from(values, { objectMode: false }));
}
