import { ApiError } from '#errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { MAX_PDF_BODY_BYTES } from '../routes/generate-pdf.ts';
import type { AccountDeps } from './account-deps.ts';
import { requireSession } from './guard-request.ts';

/** Headers of a connection, and those that the outer answer sets itself. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length']);

type Members = Record<string, unknown>;
const CALLS: Record<string, (members: Members) => InjectOptions> = {
  validateEmail: (members) => ({ method: 'GET', url: `/v1/email/validate${toQuery(members)}` }),
  getMetadata: (members) => ({ method: 'GET', url: `/v1/meta${toQuery(members)}` }),
  generatePdf: (members) => ({
    method: 'POST',
    url: '/v1/pdf/generate',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(members),
  }),
};

/**
 * Runs an operation under one of the account's keys, counted against its limit, and passes its own answer on: the same routes,
 * reached without the network by a one-use ticket, for nobody has the key's secret here.
 */
export function routeTry(app: FastifyInstance, scope: FastifyInstance, deps: AccountDeps): void {
  scope.post<{ Params: { operation: string } }>(
    '/try/:operation',
    { bodyLimit: MAX_PDF_BODY_BYTES },
    async (request, reply) => {
      const { operation } = request.params;
      const call = Object.hasOwn(CALLS, operation) ? CALLS[operation] : undefined;
      if (!call) throw new ApiError('not_found', 'There is no such operation.');
      const { key_id: keyId, ...members } = readMembers(request);
      const options = toCall(call, members);
      const ticket = await issueOwnTicket(deps, request, keyId);
      // Who closes the page does not end it: an injected request cannot hang up. Its own deadline does.
      const answer = await app.inject({ ...options, headers: { ...options.headers, 'x-api-key': ticket } });
      return passOn(reply, answer);
    },
  );
}

/** JSON that is nested too deeply to be written again was never an operation's input. */
function toCall(call: (members: Members) => InjectOptions, members: Members): InjectOptions {
  try {
    return call(members);
  } catch (error) {
    throw new ApiError('invalid_json', undefined, { cause: error });
  }
}

function readMembers({ body }: FastifyRequest): Members {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('invalid_json');
  return body as Members;
}

async function issueOwnTicket(deps: AccountDeps, request: FastifyRequest, keyId: unknown): Promise<string> {
  const grant = typeof keyId === 'string' ? await deps.keys.findKey(keyId) : null;
  if (grant?.key.accountId !== requireSession(request).account.id)
    throw new ApiError('not_found', 'There is no such key.');
  const ticket = await deps.issueTicket(grant.key.id);
  if (ticket === null)
    throw new ApiError('invalid_parameter', 'This key has ended: choose one that works.', {
      param: 'key_id',
    });
  return ticket;
}

function toQuery(members: Members): string {
  const pairs = Object.entries(members)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(toText(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function passOn(
  reply: FastifyReply,
  answer: { statusCode: number; headers: Record<string, unknown>; rawPayload: Buffer },
): FastifyReply {
  for (const [name, value] of Object.entries(answer.headers))
    if (!OWN_HEADERS.has(name) && value !== undefined) reply.header(name, value);
  return reply.code(answer.statusCode).send(answer.rawPayload);
}
