import { ApiError } from '#errors';
import { Type } from 'typebox';
import type { AccountDeps } from '../account-deps.ts';
import { type AccountScope, NO_CONTENT } from '../account-scope.ts';
import { ADMINISTRATORS, recordAdminAction } from './administrators.ts';

const KEY_PARAMS = Type.Object({ id: Type.String(), keyId: Type.String() });

/** Adds the endpoint that revokes a key of an account. A key that is revoked already stays as it is. */
export function routeKeyRevocation(scope: AccountScope, deps: AccountDeps): void {
  const { keys, now } = deps;
  scope.delete('/admin/accounts/:id/keys/:keyId', {
    config: ADMINISTRATORS,
    schema: { params: KEY_PARAMS, response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      const { id: accountId, keyId } = request.params;
      const key = (await keys.findKey(keyId))?.key;
      if (key?.accountId !== accountId) throw new ApiError('not_found', 'The account has no such key.');
      if (await keys.revokeKey(keyId, now()))
        recordAdminAction(deps, request, {
          accountId,
          event: 'key.revoked',
          detail: key.name,
          ownEvent: 'administrator.revoked_key',
          ownDetail: keyId,
        });
      return reply.code(204).send();
    },
  });
}
