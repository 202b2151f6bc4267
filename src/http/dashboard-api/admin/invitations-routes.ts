import {
  createInvite,
  formatInvitationId,
  formatInvitationPath,
  getInvitationState,
  OPERATOR,
  recordAudit,
  revokeInvitation,
  type Link,
} from '#accounts/sign-in';
import { ApiError } from '#errors';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../../schema.ts';
import type { AccountDeps } from '../account-deps.ts';
import { formatTime, formatTimeOrNull } from '../account-json.ts';
import { type AccountScope, NO_CONTENT } from '../account-scope.ts';
import { ADMINISTRATORS, getAuditSource, getOrigin, requireSession } from '../guard-request.ts';
import { ID_PARAMS, text } from '../parse-input.ts';

/** The most invitations of a list. They are deleted 90 days after their expiry. */
const MAX_LISTED = 500;

const invitation = strict({
  id: Type.String(),
  /** The address that the invitation is limited to; null for any. */
  email: nullable('string'),
  created_at: nullable('string'),
  /** The email address of the administrator, or `operator`; null if the account does not exist any more. */
  created_by: nullable('string'),
  expires_at: Type.String(),
  used_at: nullable('string'),
  state: Type.Enum(['pending', 'used', 'expired']),
});

/** Adds the endpoints that create, list and revoke invitations. */
export function routeInvitations(scope: AccountScope, deps: AccountDeps): void {
  routeInvitationList(scope, deps);
  routeInvitationCreation(scope, deps);
  routeInvitationRevocation(scope, deps);
}

function routeInvitationList(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/admin/invites', {
    config: ADMINISTRATORS,
    schema: { response: { 200: strict({ invitations: Type.Array(invitation) }) } },
    handler: async () => {
      const links = await deps.access.store.listInvitations(MAX_LISTED);
      const creators = await findCreators(deps, links);
      const toJson = (link: Link): Static<typeof invitation> => ({
        id: formatInvitationId(link),
        email: link.email,
        created_at: formatTimeOrNull(link.createdAtMs),
        created_by: creators.get(link.createdBy) ?? null,
        expires_at: formatTime(link.expiresAtMs),
        used_at: formatTimeOrNull(link.usedAtMs),
        state: getInvitationState(link, deps.now()),
      });
      return { invitations: links.map(toJson) };
    },
  });
}

/** Returns the email addresses of the accounts that created invitations, by their ids. */
async function findCreators(
  { accounts }: AccountDeps,
  links: readonly Link[],
): Promise<Map<string | null, string>> {
  const creators = new Map<string | null, string>([[OPERATOR, OPERATOR]]);
  for (const id of new Set(links.map(({ createdBy }) => createdBy))) {
    const account = id === null || id === OPERATOR ? null : await accounts.findAccount(id);
    if (account) creators.set(account.id, account.email);
  }
  return creators;
}

function routeInvitationCreation(scope: AccountScope, deps: AccountDeps): void {
  const { access } = deps;
  scope.post('/admin/invites', {
    config: ADMINISTRATORS,
    schema: {
      body: strict({ email: Type.Optional(Type.Union([text(320), Type.Null()])) }),
      response: { 201: strict({ url: Type.String(), expires_at: Type.String() }) },
    },
    handler: async (request, reply) => {
      const { id } = requireSession(request).account;
      const email = request.body.email ?? null;
      const { token, expiresAtMs } = await createInvite(access, email, id);
      recordAudit(access, id, 'invitation.created', '', getAuditSource(request));
      const url = getOrigin(request, deps) + formatInvitationPath(token, email);
      return reply.code(201).send({ url, expires_at: formatTime(expiresAtMs) });
    },
  });
}

function routeInvitationRevocation(scope: AccountScope, { access }: AccountDeps): void {
  scope.delete('/admin/invites/:id', {
    config: ADMINISTRATORS,
    schema: { params: ID_PARAMS, response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      if (!(await revokeInvitation(access, request.params.id)))
        throw new ApiError('not_found', 'There is no such invitation, or it was used.');
      const { id } = requireSession(request).account;
      recordAudit(access, id, 'invitation.revoked', '', getAuditSource(request));
      return reply.code(204).send();
    },
  });
}
