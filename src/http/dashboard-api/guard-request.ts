/**
 * Admission to /account: same origin, JSON, a session. An x-api-key has no effect here, and a cookie none
 * under /v1.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import {
  type AuditEventName,
  type AuditSource,
  type Client,
  type Session,
  findSession,
  recordAudit,
} from '#accounts/sign-in';
import { ApiError } from '#errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { computeAddressBlock, formatAddress } from '../client-address.ts';
import type { AccountDeps } from './account-deps.ts';

/** The configuration of routes that need no session. */
export const ANYONE = { audience: 'anyone' } as const;

/** Methods that change nothing and have no body. */
export const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Returns the client of a request, as the accounts module describes it. */
export function getClient(request: FastifyRequest, { publicUrl }: Pick<AccountDeps, 'publicUrl'>): Client {
  return {
    address: computeAddressBlock(request.ip),
    ip: formatAddress(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
    isSecure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
    requestId: request.id,
    cookie: request.headers.cookie ?? '',
  };
}

/** Returns the address at which people reach the service, without a trailing slash. */
export function getOrigin(request: FastifyRequest, { publicUrl }: Pick<AccountDeps, 'publicUrl'>): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** Returns the origin of an event of the audit trail. */
export function getAuditSource({ id, ip }: Pick<FastifyRequest, 'id' | 'ip'>): AuditSource {
  return { requestId: id, ip: formatAddress(ip) };
}

/**
 * Admits a request or throws: `forbidden_origin` for a host that a stranger may name, `unauthorized` for
 * another origin or without a session, `unsupported_media_type`, and `not_found` for unknown paths and for
 * paths of administrators.
 */
export async function guardRequest(
  deps: AccountDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  assertKnownHost(request, deps.publicUrl);
  if (!isSameOrigin(request, deps.publicUrl) && !isNavigation(request))
    throw new ApiError('unauthorized', 'This request does not come from the dashboard’s own pages.');
  if (request.is404) throw new ApiError('not_found', 'There is nothing at this path.');
  assertMediaType(request);
  const { audience } = request.routeOptions.config;
  if (audience === 'anyone') return;
  const session = await findSession(deps.access, getClient(request, deps));
  if (!session)
    throw new ApiError('unauthorized', 'You are not signed in, or your session has ended: sign in.');
  if (audience === 'administrators' && !session.account.admin)
    throw new ApiError('not_found', 'There is nothing at this path.');
  if (!SAFE_METHODS.has(request.method) && !request.url.startsWith('/account/try/'))
    await deps.access.throttle.consumeChange(session.account.id);
  setCookies(reply, session.setCookies);
  request.session = session;
}

/** Returns the session of an admitted request. Throws `unauthorized` if it has none. */
export function requireSession(request: FastifyRequest): Session {
  if (!request.session) throw new ApiError('unauthorized');
  return request.session;
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
}

/**
 * Checks Sec-Fetch-Site, which all current browsers send and no page can forge, and Origin if it is present.
 * A request that changes something must have one of them; a page cannot read a response to a request without
 * them.
 */
function isSameOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const isSafe = SAFE_METHODS.has(request.method);
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  // A contradicting header means another origin. `none` is an address that a person typed.
  if (site !== undefined && site !== 'same-origin' && !(isSafe && site === 'none')) return false;
  if (origin !== undefined) return isOwnOrigin(origin, request, publicUrl);
  return site !== undefined || isSafe;
}

/** Checks whether a browser opens the route as a page, where the route accepts that from other sites. */
function isNavigation({ routeOptions, headers }: FastifyRequest): boolean {
  if (routeOptions.config.acceptsNavigation !== true || headers.origin !== undefined) return false;
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/**
 * Without PUBLIC_URL, throws `forbidden_origin` for a Host that a stranger's DNS may point at this machine:
 * to a browser, a page from there has the same origin (DNS rebinding). The page can also set the headers of a
 * proxy, so both names count.
 */
function assertKnownHost({ headers, host }: FastifyRequest, publicUrl: string | null): void {
  if (publicUrl !== null || [headers.host ?? '', host ?? ''].every((name) => isOwnHost(name))) return;
  throw new ApiError(
    'forbidden_origin',
    'Without PUBLIC_URL the dashboard has an IP address, localhost or the name of its machine as its host: open one of them, or set PUBLIC_URL to the address that people use.',
  );
}

/** Checks for a host that no DNS server of a stranger names, with or without a port; none is one too. */
function isOwnHost(host: string): boolean {
  if (host === '') return true;
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(name) > 0 || /^(?:.+\.)?localhost$/.test(name) || name === hostname().toLowerCase();
}

/** Checks that an Origin header names PUBLIC_URL, or without it a host of this machine (DNS rebinding). */
export function isKnownOrigin(origin: string, publicUrl: string | null): boolean {
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return publicUrl === null ? isOwnHost(url.host) : url.origin === URL.parse(publicUrl)?.origin;
}

/** Checks that an Origin header names the request's own host, or PUBLIC_URL. */
function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: string | null): boolean {
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  // A page that was loaded without TLS may have been changed in transit.
  if (request.protocol === 'https' && url.protocol !== 'https:') return false;
  return (
    url.host === request.host.toLowerCase() ||
    (publicUrl !== null && url.origin === URL.parse(publicUrl)?.origin)
  );
}

function assertMediaType(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody && request.method === 'DELETE') return;
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json' || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type');
}

/** The configuration of routes for administrators. For other users these paths do not exist. */
export const ADMINISTRATORS = { audience: 'administrators' } as const;

/** An action of an administrator on an account. */
interface AdminAction {
  accountId: string;
  /** The event in the trail of the account; null if the account is deleted. */
  event: AuditEventName | null;
  detail?: string;
  /** The event in the trail of the administrator. */
  ownEvent: AuditEventName;
  /** The detail in the trail of the administrator, if the account's would outlive the account there. */
  ownDetail?: string;
}

/**
 * Records an action in both audit trails. The administrator's has the address and the account's id, but not
 * its email address nor the names of its keys, which would outlive the account. The account's trail does not
 * have the administrator's address.
 */
export function recordAdminAction(
  { access }: Pick<AccountDeps, 'access'>,
  request: FastifyRequest,
  { accountId, event, detail = '', ownEvent, ownDetail = detail }: AdminAction,
): void {
  const source = getAuditSource(request);
  const own = requireSession(request).account.id;
  if (event !== null && accountId !== own) {
    const text = detail === '' ? 'by an administrator' : `${detail}, by an administrator`;
    recordAudit(access, accountId, event, text, { ...source, ip: null });
  }
  recordAudit(access, own, ownEvent, ownDetail === '' ? accountId : `${accountId}: ${ownDetail}`, source);
}
