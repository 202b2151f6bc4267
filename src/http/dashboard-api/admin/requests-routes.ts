import type { LoggedRequest } from '#usage';
import { type Static, Type } from 'typebox';
import { nullable, strict } from '../../schema.ts';
import type { AccountDeps } from '../account-deps.ts';
import type { AccountScope } from '../account-scope.ts';
import { loggedRequest, toLogLine } from '../log-line.ts';
import { ADMINISTRATORS } from './administrators.ts';

const found = strict({
  ...loggedRequest.properties,
  account: strict({ id: Type.String(), email: nullable('string'), plan: nullable('string') }),
  /** Null if the key was deleted since. */
  key: Type.Union([strict({ prefix: Type.String(), last_four: Type.String() }), Type.Null()]),
});

/** Adds the endpoint that finds a logged request of any account by its id. */
export function routeRequestLookup(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/admin/requests/:id', {
    config: ADMINISTRATORS,
    schema: {
      params: Type.Object({ id: Type.String() }),
      response: { 200: strict({ request: Type.Union([found, Type.Null()]) }) },
    },
    handler: async (request) => {
      const line = await deps.usage.findRequest(request.params.id.trim(), null);
      return { request: line && (await describe(deps, line)) };
    },
  });
}

async function describe({ accounts, keys }: AccountDeps, line: LoggedRequest): Promise<Static<typeof found>> {
  const account = await accounts.findAccount(line.accountId);
  const key = (await keys.findKey(line.keyId))?.key ?? null;
  return {
    ...toLogLine(line, new Map([[line.keyId, key?.name ?? '']])),
    account: { id: line.accountId, email: account?.email ?? null, plan: account?.plan ?? null },
    key: key && { prefix: key.prefix, last_four: key.lastFour },
  };
}
