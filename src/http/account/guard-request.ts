/**
 * The door of /account: same origin, JSON, a session. An x-api-key is never looked at here, and a cookie
 * never under /v1.
 */
import { readSession, type Client, type Session } from '#accounts/sign-in';
import { ApiError } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { computeAddressBlock } from '../client-address.ts';
import type { AccountDeps } from './account-deps.ts';

/** Methods that change nothing and have no body here. */
export const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** The request's sender in the accounts module's terms. */
export function readClient(request: FastifyRequest, { publicUrl }: Pick<AccountDeps, 'publicUrl'>): Client {
  return {
    address: computeAddressBlock(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
    isSecure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
    requestId: request.id,
    cookie: request.headers.cookie ?? '',
  };
}

/**
 * Lets a request in or throws: `unauthorized` for another origin and without a session,
 * `unsupported_media_type`, `not_found` for what is not for this account.
 */
export async function guardRequest(
  deps: AccountDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  if (!isSameOrigin(request, deps.publicUrl))
    throw new ApiError('unauthorized', 'This request does not come from the dashboard’s own pages.');
  if (request.is404) throw new ApiError('not_found', 'There is nothing at this path.');
  checkMediaType(request);
  const { audience } = request.routeOptions.config;
  if (audience === 'anyone') return;
  const session = await readSession(deps.access, readClient(request, deps));
  if (!session)
    throw new ApiError('unauthorized', 'You are not signed in, or your session has ended: sign in.');
  if (audience === 'administrators' && !session.account.admin)
    throw new ApiError('not_found', 'There is nothing at this path.');
  if (!SAFE_METHODS.has(request.method) && !request.url.startsWith('/account/try/'))
    deps.access.throttle.takeChange(session.account.id);
  setCookies(reply, session.setCookies);
  request.session = session;
}

/** The session that the guard let in. */
export function requireSession(request: FastifyRequest): Session {
  if (!request.session) throw new ApiError('unauthorized');
  return request.session;
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}

/**
 * By Sec-Fetch-Site, which every browser of today sends and no page can forge; by Origin where it is missing.
 * What changes something must carry one of them; a read without either is no page's doing.
 */
function isSameOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const isSafe = SAFE_METHODS.has(request.method);
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  // A page of this origin that a header contradicts is none; `none` is an address that a person typed.
  if (site !== undefined && site !== 'same-origin' && !(isSafe && site === 'none')) return false;
  if (origin !== undefined) return isOwnOrigin(origin, request, publicUrl);
  return site !== undefined || isSafe;
}

function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: string | null): boolean {
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  // A page that came without TLS may be anybody's on its way.
  if (request.protocol === 'https' && url.protocol !== 'https:') return false;
  return (
    url.host === request.host.toLowerCase() ||
    (publicUrl !== null && url.origin === URL.parse(publicUrl)?.origin)
  );
}

function checkMediaType(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody && request.method === 'DELETE') return;
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json' || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type');
}
