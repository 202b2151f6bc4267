import { Readable } from 'node:stream';
import { onAbort } from '#concurrency';
import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions, RequestPayload } from 'fastify';
import { Type } from 'typebox';
import { createQueryParser, formatTarget } from '../query.ts';
import { strict } from '../schema.ts';
import { beginBody } from '../wire/body.ts';
import { ClientDisconnected, abortOnDisconnect } from '../wire/disconnection.ts';
import { readSmallJson } from '../wire/json/read-body.ts';
import { PDF_BODY } from '../v1/pdf-body.ts';
import type { AccountDeps } from './account-deps.ts';
import type { AccountScope } from './account-scope.ts';
import { requireSession } from './guard-request.ts';
import { ACCOUNT_BODY } from './parse-input.ts';
import { ChunkCounter } from '../wire/json/body-limits.ts';

/** Headers of the connection, and those that the outer response sets itself. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/** The routes by operationId. `query`: the members of the body become parameters of the query. */
const ROUTES = {
  validateEmail: { path: '/v1/email/validate', served: 'validateEmail', input: 'query' },
  validateEmailBatch: { path: '/v1/email/validate/batch', served: 'validateEmail', input: 'body' },
  getMetadata: { path: '/v1/meta', served: 'getMetadata', input: 'query' },
  getMetadataBatch: { path: '/v1/meta/batch', served: 'getMetadata', input: 'body' },
  generatePdf: { path: '/v1/pdf/generate', served: 'generatePdf', input: 'body' },
} as const;
type Route = (typeof ROUTES)[keyof typeof ROUTES];

const parseQuery = createQueryParser(strict({ key_id: Type.Optional(Type.String()) }), { skipsEmpty: true });

/**
 * Adds the endpoint that runs an operation with one of the account's keys, which counts against the limit of
 * the key. It injects a request to the same route with a one-use ticket, because the secret of the key is not
 * known here, and forwards the response. The key is checked before the body is read.
 */
export function routeTry(app: FastifyInstance, scope: AccountScope, deps: AccountDeps): void {
  scope.post('/try/:operation', {
    bodyLimit: PDF_BODY.maxBytes,
    config: { readsOwnBody: true },
    schema: {
      params: Type.Object({ operation: Type.String() }),
      // The response of the operation, as it is under /v1.
      response: { 200: { content: { '*/*': { schema: Type.Unsafe<Readable>({}) } } } },
    },
    handler: async (request, reply) => {
      const { path, input } = findRoute(request.params.operation, deps);
      let ticket = await issueTicketOrCount(deps, request);
      let call: InjectOptions | null = null;
      if (input === 'query') {
        call = { method: 'GET', url: formatTarget(path, await readSmallJson(request, reply, ACCOUNT_BODY)) };
        // The body may have taken longer to arrive than a ticket is valid.
        ticket = await issueTicketOrCount(deps, request);
      }
      const signal = abortOnDisconnect(reply);
      if (reply.raw.destroyed) throw new ClientDisconnected();
      call ??= forwardBody(path, request, reply, signal);
      const headers = { ...call.headers, 'x-api-key': ticket };
      const options = { ...call, signal };
      const response = await app.holds
        .injectFor(reply.raw, async () => app.inject({ ...options, headers, payloadAsStream: true }))
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw error;
        });
      const bodyError = call.payload instanceof ForwardedBody ? call.payload.errored : null;
      return forwardResponse(request, reply, response, bodyError);
    },
  });
}

/** Returns the route of an operation that this server serves. Throws `not_found` for all others. */
function findRoute(operation: string, { operations }: AccountDeps): Route {
  if (!Object.hasOwn(ROUTES, operation)) throw new ApiError('not_found', 'There is no such operation.');
  const route = ROUTES[operation as keyof typeof ROUTES];
  if (operations.some((served) => served === route.served)) return route;
  throw new ApiError('not_found', 'This server does not serve this operation.');
}

/**
 * Returns a ticket for the key that the query names. A refusal counts as a change of the account, so that
 * guessing keys is limited.
 */
async function issueTicketOrCount(deps: AccountDeps, request: FastifyRequest): Promise<string> {
  try {
    return await issueTicketForKey(deps, request);
  } catch (error) {
    await deps.access.throttle.consumeChange(requireSession(request).account.id);
    throw error;
  }
}

async function issueTicketForKey(deps: AccountDeps, request: FastifyRequest): Promise<string> {
  const { key_id: keyId } = parseQuery(request.raw.url ?? '');
  const grant = keyId === undefined ? null : await deps.keys.findKey(keyId);
  if (grant?.key.accountId !== requireSession(request).account.id)
    throw new ApiError('not_found', 'There is no such key.', { param: 'key_id' });
  const ticket = await deps.issueTicket(grant.key.id);
  if (ticket === null)
    throw new ApiError('invalid_parameter', 'This key has ended: choose one that works.', {
      param: 'key_id',
    });
  return ticket;
}

/** Forwards the body of the request as it arrives. `accept` says whether a batch is sent as lines. */
function forwardBody(
  url: Route['path'],
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): InjectOptions {
  return {
    method: 'POST',
    url,
    headers: pickHeaders(request, ['accept', 'content-type', 'content-length', 'transfer-encoding']),
    payload: new ForwardedBody(beginBody(request, reply), signal),
  };
}

function pickHeaders({ headers }: FastifyRequest, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

/** The response of the injected request. */
interface InnerResponse {
  statusCode: number;
  headers: Record<string, string | string[] | number | undefined>;
  stream: () => Readable;
}

/** Forwards the response of the injected request as it arrives. */
function forwardResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  response: InnerResponse,
  bodyError: Error | null,
): FastifyReply {
  for (const [name, value] of Object.entries(response.headers))
    if (!OWN_HEADERS.has(name) && value !== undefined) reply.header(name, value);
  // The injected request may have been refused before the end of the body.
  request.server.lingering.closeAfterRefusal(request.raw, reply, bodyError);
  request.raw.resume();
  return reply.code(response.statusCode).send(response.stream());
}

/**
 * The body of a request, forwarded to an injected request at the pace of its reader. It fails when its
 * source fails, when the signal aborts, and with TinyChunksError. It can fail after its end too, because
 * that is what ends an injected request.
 */
export class ForwardedBody extends Readable {
  readonly #source: RequestPayload;
  readonly #chunks = new ChunkCounter();

  constructor(source: RequestPayload, signal: AbortSignal) {
    super({ autoDestroy: false });
    this.#source = source;
    source.on('data', (chunk: Buffer) => this.#forward(chunk));
    source.on('end', () => this.push(null));
    source.on('error', (error: Error) => this.destroy(error));
    source.on('close', () => this.#onSourceClose());
    source.pause();
    onAbort(signal, (reason) => this.destroy(reason as Error));
    // An error without a listener would end the process; the reader of this stream adds its own.
    this.on('error', () => {});
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // The rest is discarded.
    this.#source.resume();
    callback(error);
  }

  #forward(chunk: Buffer): void {
    if (this.destroyed) return;
    try {
      this.#chunks.count(chunk.length);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    if (!this.push(chunk)) this.#source.pause();
  }

  #onSourceClose(): void {
    if (!this.readableEnded && !(this.#source as Readable).readableEnded)
      this.destroy(Object.assign(new Error('the client disconnected'), { code: 'ECONNRESET' }));
  }
}
