import {
  confirmSecondFactor,
  disableSecondFactor,
  enrollSecondFactor,
  findSignInMethods,
  finishSignIn,
  replaceRecoveryCodes,
} from '#accounts/sign-in';
import { Type } from 'typebox';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { accountJson, formatTime, toAccountJson } from './account-json.ts';
import { type AccountScope, NO_CONTENT } from './account-scope.ts';
import { ANYONE, getClient, requireSession, setCookies } from './guard-request.ts';
import { CODE, PROOF } from './parse-input.ts';

const RECOVERY_CODES = Type.Array(Type.String());

/** Adds the endpoints of an account's second factor, and of the ways to sign in to it. */
export function routeSecondFactor(scope: AccountScope, deps: AccountDeps): void {
  routeSignInMethods(scope, deps);
  routeSecondStep(scope, deps);
  routeEnrollment(scope, deps);
  routeRemoval(scope, deps);
}

function routeSignInMethods(scope: AccountScope, { access }: AccountDeps): void {
  const methods = strict({
    password: Type.Boolean(),
    second_factor: Type.Union([strict({ recovery_codes_left: Type.Integer() }), Type.Null()]),
    identity_linked_at: nullable('string'),
  });
  scope.get('/sign-in-methods', {
    schema: { response: { 200: methods } },
    handler: async (request) => {
      const found = await findSignInMethods(access, requireSession(request));
      const { secondFactor, identityLinkedAtMs } = found;
      return {
        password: found.hasPassword,
        second_factor: secondFactor && { recovery_codes_left: secondFactor.recoveryCodesLeft },
        identity_linked_at: identityLinkedAtMs === null ? null : formatTime(identityLinkedAtMs),
      };
    },
  });
}

/** Adds the second step of a sign-in. */
function routeSecondStep(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/sign-in/second-factor', {
    config: ANYONE,
    schema: { body: strict({ code: CODE }), response: { 200: strict({ account: accountJson }) } },
    handler: async (request, reply) => {
      const session = await finishSignIn(deps.access, request.body.code, getClient(request, deps));
      setCookies(reply, session.setCookies);
      return { account: toAccountJson(session.account) };
    },
  });
}

function routeEnrollment(scope: AccountScope, deps: AccountDeps): void {
  const enrolled = strict({ secret: Type.String(), uri: Type.String(), recovery_codes: RECOVERY_CODES });
  scope.post('/second-factor', {
    schema: { body: strict({ password: PROOF.password }), response: { 201: enrolled } },
    handler: async (request, reply) => {
      const client = getClient(request, deps);
      const { secret, uri, recoveryCodes } = await enrollSecondFactor(
        deps.access,
        requireSession(request),
        request.body,
        client,
      );
      return reply.code(201).send({ secret, uri, recovery_codes: recoveryCodes });
    },
  });
  scope.post('/second-factor/confirm', {
    schema: { body: strict({ code: CODE }), response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      const client = getClient(request, deps);
      const cookies = await confirmSecondFactor(
        deps.access,
        requireSession(request),
        request.body.code,
        client,
      );
      reply.removeHeader('set-cookie');
      setCookies(reply, cookies);
      return reply.code(204).send();
    },
  });
}

function routeRemoval(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/second-factor/recovery-codes', {
    schema: { body: strict(PROOF), response: { 200: strict({ recovery_codes: RECOVERY_CODES }) } },
    handler: async (request) => {
      const client = getClient(request, deps);
      const codes = await replaceRecoveryCodes(deps.access, requireSession(request), request.body, client);
      return { recovery_codes: codes };
    },
  });
  scope.delete('/second-factor', {
    schema: { body: strict(PROOF), response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      await disableSecondFactor(deps.access, requireSession(request), request.body, getClient(request, deps));
      return reply.code(204).send();
    },
  });
}
