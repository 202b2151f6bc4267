import { ApiError } from '#errors';
import type { AccessStore, AuditEventName } from '../access-store.ts';
import type { Account, AccountStore } from '../account.ts';
import type { SendMail } from './send-mail.ts';
import type { Plans } from '../plans.ts';
import type { AuthEngine } from './auth-engine.ts';
import type { FailureThrottle } from './failure-throttle.ts';
import { withJudgedPassword } from './verified-password.ts';
import type { WorkCaller, WorkGate } from './work-gate.ts';

/** Who is at the other end, as the HTTP layer saw it. */
export interface Client {
  /** What failures are counted by: an IPv4 address or an IPv6 /64. */
  address: string;
  userAgent: string;
  /** Whether the connection is private (TLS, here or at a trusted proxy). */
  isSecure: boolean;
  requestId: string;
  /** The Cookie header. */
  cookie: string;
}

/** A signed-in browser. */
export interface Session {
  id: string;
  account: Account;
  /** Set-Cookie headers that prolong it. */
  setCookies: string[];
}

/** What the acts of signing up, in and out share. */
export interface AccessContext {
  store: AccessStore;
  accounts: AccountStore;
  plans: Plans;
  signups: 'open' | 'invite' | 'closed';
  engines: { secure: AuthEngine; plain: AuthEngine };
  gate: WorkGate;
  throttle: FailureThrottle;
  sendMail: SendMail;
  /** The address under which people reach the service, without a slash at its end. */
  readOrigin: () => string;
  now: () => number;
  onError: (error: unknown) => void;
}

/** The Set-Cookie headers of an answer of better-auth. */
export function readSetCookies(headers: Headers | null | undefined): string[] {
  return headers?.getSetCookie() ?? [];
}

export function toHeaders(client: Client): Headers {
  const headers = new Headers({ 'user-agent': client.userAgent.slice(0, 300) });
  if (client.cookie !== '') headers.set('cookie', client.cookie);
  return headers;
}

/** Writes to the account's audit trail once the answer is out: a commit that only known addresses have must not show in its time. */
export function recordAudit(
  { store, now, onError }: Pick<AccessContext, 'store' | 'now' | 'onError'>,
  accountId: string,
  event: AuditEventName,
  detail: string,
  requestId: string | null,
): void {
  const atMs = now();
  setImmediate(() => {
    store.insertAuditEvent({ accountId, event, detail, requestId, atMs }).catch(onError);
  });
}

/** better-auth's refusals carry a code; what lies below (the database, the gate) comes through as it is. */
export function readRefusal(error: unknown): string | null {
  const cause = (error as { cause?: unknown }).cause;
  if (error instanceof ApiError) throw error;
  if (cause instanceof ApiError) throw cause;
  const code = (error as { body?: { code?: unknown } }).body?.code;
  return typeof code === 'string' ? code : null;
}

/** Judges a password: slowed down, a few at a time, and counted. `judge` answers null for a wrong one. */
export async function judgePassword<T>(
  context: Pick<AccessContext, 'throttle' | 'gate'>,
  client: Client,
  email: string,
  judge: () => Promise<T | null>,
): Promise<T | null> {
  const { throttle, gate } = context;
  const attempt = throttle.beginAttempt(client.address, email);
  let answer: T | null;
  try {
    answer = await gate(toWorkCaller(context, client, email), () => withJudgedPassword(judge));
  } catch (error) {
    attempt.undo();
    throw error;
  }
  if (answer !== null) attempt.succeed();
  return answer;
}

/** The client as the gate of password work sees it. */
export function toWorkCaller(
  { throttle }: Pick<AccessContext, 'throttle'>,
  { address }: Client,
  email: string,
): WorkCaller {
  return { address, isKnown: throttle.isOwner(address, email) };
}
