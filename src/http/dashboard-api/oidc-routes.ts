import {
  finishOidcSignIn,
  OIDC_REFUSAL_CODES,
  OIDC_REFUSALS,
  startOidcSignIn,
  unlinkIdentity,
} from '#accounts/sign-in';
import type { OidcRefusal } from '#accounts/sign-in';
import { ApiError } from '#errors';
import { Type } from 'typebox';
import { strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { type AccountScope, NO_CONTENT } from './account-scope.ts';
import { ANYONE, getClient, requireSession, setCookies } from './guard-request.ts';
import { PROOF, text } from './parse-input.ts';

/** The pages that browsers get after the response of the provider: paths of the dashboard, and no others. */
const TARGETS = { 'signed-in': '/', pending: '/sign-in?step=second-factor' } as const;
/** The longest parameter of a provider's response; codes are up to a few kilobytes. */
const MAX_PARAMETER_LENGTH = 4_096;

/** Adds the endpoints of sign-in by the operator's identity provider. */
export function routeOidc(scope: AccountScope, deps: AccountDeps): void {
  routeStart(scope, deps);
  routeCallback(scope, deps);
  routeRefusals(scope);
  scope.delete('/oidc', {
    schema: { body: strict(PROOF), response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      await unlinkIdentity(deps.access, requireSession(request), request.body, getClient(request, deps));
      return reply.code(204).send();
    },
  });
}

/** Adds the endpoint that returns the URL of the provider, which the page opens. */
function routeStart(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/oidc/start', {
    config: ANYONE,
    schema: {
      body: strict({ invite: Type.Optional(text(100)) }),
      response: { 200: strict({ url: Type.String() }) },
    },
    handler: async (request, reply) => {
      const { url, setCookies: cookies } = await startOidcSignIn(
        deps.access,
        request.body,
        getClient(request, deps),
      );
      setCookies(reply, cookies);
      return { url };
    },
  });
}

/** Adds the address to which the provider sends browsers back. */
function routeCallback(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/oidc/callback', {
    config: { audience: 'anyone', acceptsNavigation: true },
    schema: { response: { 303: NO_CONTENT } },
    handler: async (request, reply) => {
      const response = parseProviderResponse(request.raw.url ?? '');
      const outcome = await finishOidcSignIn(deps.access, response, getClient(request, deps));
      setCookies(reply, outcome.setCookies);
      const target =
        outcome.kind === 'refused'
          ? `/sign-in?refused=${outcome.refusal ?? 'provider_failed'}`
          : TARGETS[outcome.kind];
      return reply.code(303).header('location', target).send();
    },
  });
}

/**
 * Parses the parameters of a provider's response that matter; others are ignored, as RFC 6749 asks. A
 * parameter that is too long or given twice counts as missing: the sign-in is then refused.
 */
function parseProviderResponse(target: string): Partial<Record<'code' | 'state' | 'iss' | 'error', string>> {
  const parameters = URL.parse(target, 'http://localhost')?.searchParams ?? new URLSearchParams();
  const found = (['code', 'state', 'iss', 'error'] as const).flatMap((name) => {
    const [value, ...more] = parameters.getAll(name);
    const isValid = value !== undefined && more.length === 0 && value.length <= MAX_PARAMETER_LENGTH;
    return isValid ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Adds the sentences that the sign-in page shows for a refused sign-in. */
function routeRefusals(scope: AccountScope): void {
  const explained = strict({ code: Type.Enum(OIDC_REFUSAL_CODES), message: Type.String() });
  scope.get('/oidc/refusals/:code', {
    config: ANYONE,
    schema: { params: Type.Object({ code: Type.String() }), response: { 200: explained } },
    handler: async (request) => {
      const { code } = request.params;
      if (!Object.hasOwn(OIDC_REFUSALS, code)) throw new ApiError('not_found', 'There is no such refusal.');
      return { code: code as OidcRefusal, message: OIDC_REFUSALS[code as OidcRefusal] };
    },
  });
}
