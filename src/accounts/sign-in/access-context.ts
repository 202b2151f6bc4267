import { ApiError } from '#errors';
import type { AccessStore, AuditEventName, AuditSource } from '../access-store.ts';
import type { Account, AccountStore, Plans } from '../account.ts';
import { type AuthEngine, IP_HEADER } from './auth-engine.ts';
import type { FailureThrottle } from './failure-throttle.ts';
import type { OidcProvider } from './oidc-provider.ts';
import type { SendMail } from './account-mails.ts';
import type { WorkCaller, WorkGate } from './password.ts';

/** The client of a request, as the HTTP layer saw it. */
export interface Client {
  /** The client by which failures are counted: an IPv4 address or an IPv6 /64. */
  address: string;
  /** The IP address itself, for the audit trail and the list of sessions; null if it is not known. */
  ip: string | null;
  userAgent: string;
  /** True if the connection is private (TLS, here or at a trusted proxy). */
  isSecure: boolean;
  requestId: string;
  /** The Cookie header. */
  cookie: string;
}

/** The session of a signed-in browser. */
export interface Session {
  id: string;
  account: Account;
  createdAtMs: number;
  /** True if sign-in to the account asks for a second factor. */
  hasSecondFactor: boolean;
  /** Set-Cookie headers that prolong the session. */
  setCookies: string[];
}

/** The result of a sign-in. */
export interface SignedIn {
  account: Account;
  /** True if there is no session yet: `finishSignIn` creates it after the second factor. */
  isPending: boolean;
  setCookies: string[];
}

/** The state that signing up, signing in and recovery share. */
export interface AccessContext {
  store: AccessStore;
  accounts: AccountStore;
  plans: Plans;
  /** Sign-up in the dashboard: open to all, to people with an invitation, or to none. */
  signups: 'open' | 'invite' | 'closed';
  engines: { secure: AuthEngine; plain: AuthEngine };
  /** The operator's identity provider; null if none is set. */
  oidc: OidcProvider | null;
  gate: WorkGate;
  throttle: FailureThrottle;
  sendMail: SendMail;
  /** Returns the service's URL for links in mails, without a trailing slash. */
  getOrigin: () => string;
  now: () => number;
  /** Receives errors that happen outside a request. */
  onError: (error: unknown) => void;
}

/** Returns the better-auth instance for the client's connection. */
export function getEngine({ engines }: Pick<AccessContext, 'engines'>, { isSecure }: Client): AuthEngine {
  return isSecure ? engines.secure : engines.plain;
}

/** Returns the Set-Cookie headers of a response of better-auth. */
export function getSetCookies(headers: Headers | null | undefined): string[] {
  return headers?.getSetCookie() ?? [];
}

/** Returns the Cookie header that a browser sends after these Set-Cookie headers. */
export function toCookieHeader(setCookies: readonly string[]): string {
  return setCookies.map((header) => header.split(';', 1)[0]).join('; ');
}

/** Returns the client with one of its cookies. */
export function keepCookie(client: Client, name: string): Client {
  const cookie = client.cookie.split(/;\s*/).find((pair) => pair.startsWith(`${name}=`)) ?? '';
  return { ...client, cookie };
}

/** Returns the Set-Cookie headers of one cookie. */
export function filterCookies(setCookies: readonly string[], name: string): string[] {
  return setCookies.filter((header) => header.startsWith(`${name}=`));
}

/** Returns the code by which better-auth reports a refusal; null for all other errors. */
export function getRefusalCode(error: unknown): string | null {
  const code = (error as { body?: { code?: unknown } }).body?.code;
  return typeof code === 'string' ? code : null;
}

/** Returns the client's headers that better-auth uses. */
export function toHeaders(client: Client): Headers {
  const headers = new Headers({ 'user-agent': client.userAgent.slice(0, 300) });
  if (client.ip !== null) headers.set(IP_HEADER, client.ip);
  if (client.cookie !== '') headers.set('cookie', client.cookie);
  return headers;
}

/**
 * Adds an entry to the account's audit trail after the response: the response time must not show a commit
 * that only known addresses cause.
 */
export function recordAudit(
  { store, now, onError }: Pick<AccessContext, 'store' | 'now' | 'onError'>,
  accountId: string,
  event: AuditEventName,
  detail: string,
  { requestId, ip }: AuditSource,
): void {
  const atMs = now();
  setImmediate(() => {
    store.insertAuditEvent({ accountId, event, detail, requestId, ip, atMs }).catch(onError);
  });
}

/** Throws the ApiError (of the database or the gate) that made better-auth fail, if there is one. */
export function rethrowApiError(error: unknown): void {
  const { cause } = error as { cause?: unknown };
  if (error instanceof ApiError) throw error;
  if (cause instanceof ApiError) throw cause;
}

/** Returns if better-auth refused the request, which it reports by a code; throws all other errors. */
export function assertRefusal(error: unknown): void {
  rethrowApiError(error);
  if (getRefusalCode(error) === null) throw error;
}

/** Returns the client as the gate of password work counts it. */
export async function toWorkCaller(
  { throttle }: Pick<AccessContext, 'throttle'>,
  { address }: Client,
  email: string,
): Promise<WorkCaller> {
  return { address, isKnown: await throttle.isOwner(address, email) };
}
