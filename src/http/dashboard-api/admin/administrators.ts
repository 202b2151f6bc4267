import { recordAudit, type AuditEventName } from '#accounts/sign-in';
import type { FastifyRequest } from 'fastify';
import type { AccountDeps } from '../account-deps.ts';
import { getAuditSource, requireSession } from '../guard-request.ts';

/** The configuration of routes for administrators. For other users these paths do not exist. */
export const ADMINISTRATORS = { audience: 'administrators' } as const;

/** An action of an administrator on an account. */
export interface AdminAction {
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
