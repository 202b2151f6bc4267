import {
  clearCookies,
  deleteAccount,
  listSessions,
  findSession,
  recordAudit,
  setUp,
  signIn,
  signOut,
  signOutEverywhere,
  signUp,
} from '#accounts/sign-in';
import { OPERATIONS } from '#accounts';
import { ApiError } from '#errors';
import { Type } from 'typebox';
import { formatAddress } from '../client-address.ts';
import { nullable, strict } from '../schema.ts';
import type { AccountDeps } from './account-deps.ts';
import { accountJson, formatTime, toAccountJson } from './account-json.ts';
import { type AccountScope, NO_CONTENT } from './account-scope.ts';
import { ANYONE, getAuditSource, getClient, requireSession, setCookies } from './guard-request.ts';
import { EMAIL, ID_PARAMS, PASSWORD, PROOF, text } from './parse-input.ts';

const CREDENTIALS = { email: EMAIL, password: PASSWORD };

/** Adds the endpoints of sign-up, sign-in and sign-out, of an account's sessions, and of its deletion. */
export function routeSessions(scope: AccountScope, deps: AccountDeps): void {
  routeCurrentSession(scope, deps);
  routeSignUp(scope, deps);
  routeSetUp(scope, deps);
  routeSignIn(scope, deps);
  routeSignOut(scope, deps);
  routeSessionList(scope, deps);
  routeDeletion(scope, deps);
}

function routeCurrentSession(scope: AccountScope, deps: AccountDeps): void {
  const { access, accounts } = deps;
  const current = strict({
    account: Type.Union([accountJson, Type.Null()]),
    signups: Type.Enum(['open', 'invite', 'closed']),
    mail: Type.Boolean(),
    setup_needed: Type.Boolean(),
    front_door: Type.Boolean(),
    operations: Type.Array(Type.Enum([...OPERATIONS])),
    /** The identity provider, by the name on its button. */
    oidc: Type.Union([strict({ name: Type.String() }), Type.Null()]),
    second_factor: Type.Boolean(),
  });
  scope.get('/session', {
    config: ANYONE,
    schema: { response: { 200: current } },
    handler: async (request, reply) => {
      const session = await findSession(access, getClient(request, deps));
      setCookies(reply, session?.setCookies ?? []);
      return {
        account: session ? toAccountJson(session.account) : null,
        signups: access.signups,
        mail: deps.canSendMail,
        front_door: deps.hasFrontDoor,
        setup_needed: !(await accounts.hasAdmin()),
        operations: [...deps.operations],
        oidc: access.oidc && { name: access.oidc.name },
        second_factor: session?.hasSecondFactor ?? false,
      };
    },
  });
}

function routeSignUp(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/sign-up', {
    config: ANYONE,
    schema: {
      body: strict({ ...CREDENTIALS, invite: Type.Optional(text(100)) }),
      response: { 202: strict({}) },
    },
    handler: async (request, reply) => {
      await signUp(deps.access, request.body, getClient(request, deps));
      return reply.code(202).send({});
    },
  });
}

/** Adds the endpoint that creates the first administrator. */
function routeSetUp(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/setup', {
    config: ANYONE,
    schema: {
      body: strict({ token: text(100), ...CREDENTIALS }),
      response: { 201: strict({ account: accountJson }) },
    },
    handler: async (request, reply) => {
      const session = await setUp(deps.access, request.body, getClient(request, deps));
      setCookies(reply, session.setCookies);
      return reply.code(201).send({ account: toAccountJson(session.account) });
    },
  });
}

/** `account` is null if the sign-in has a second step: POST /account/sign-in/second-factor. */
const signedIn = strict({
  account: Type.Union([accountJson, Type.Null()]),
  second_factor_needed: Type.Boolean(),
});

function routeSignIn(scope: AccountScope, deps: AccountDeps): void {
  scope.post('/sign-in', {
    config: ANYONE,
    schema: { body: strict(CREDENTIALS), response: { 200: signedIn } },
    handler: async (request, reply) => {
      const {
        account,
        isPending,
        setCookies: cookies,
      } = await signIn(deps.access, request.body, getClient(request, deps));
      setCookies(reply, cookies);
      return { account: isPending ? null : toAccountJson(account), second_factor_needed: isPending };
    },
  });
}

function routeSignOut(scope: AccountScope, deps: AccountDeps): void {
  const schema = { body: strict({}), response: { 204: NO_CONTENT } };
  scope.post('/sign-out', {
    schema,
    handler: async (request, reply) => {
      setCookies(reply, await signOut(deps.access, requireSession(request), getClient(request, deps)));
      return reply.code(204).send();
    },
  });
  scope.post('/sign-out-everywhere', {
    schema,
    handler: async (request, reply) => {
      const session = requireSession(request);
      setCookies(reply, await signOutEverywhere(deps.access, session, getClient(request, deps)));
      return reply.code(204).send();
    },
  });
}

function routeSessionList(scope: AccountScope, deps: AccountDeps): void {
  const { access } = deps;
  const listed = strict({
    id: Type.String(),
    created_at: Type.String(),
    last_seen_at: Type.String(),
    user_agent: Type.String(),
    ip: nullable('string'),
    current: Type.Boolean(),
  });
  scope.get('/sessions', {
    schema: { response: { 200: strict({ sessions: Type.Array(listed) }) } },
    handler: async (request) => {
      const { id, account } = requireSession(request);
      const sessions = await listSessions(access, account.id);
      return {
        sessions: sessions.map((session) => ({
          id: session.id,
          created_at: formatTime(session.createdAtMs),
          last_seen_at: formatTime(session.lastSeenAtMs),
          user_agent: session.userAgent,
          ip: session.ip && formatAddress(session.ip),
          current: session.id === id,
        })),
      };
    },
  });
  scope.delete('/sessions/:id', {
    schema: { params: ID_PARAMS, response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      const { id, account } = requireSession(request);
      if (!(await access.store.deleteSession(account.id, request.params.id)))
        throw new ApiError('not_found', 'There is no such session.');
      recordAudit(access, account.id, 'session.ended', '', getAuditSource(request));
      if (request.params.id === id) setCookies(reply, await clearCookies(access, getClient(request, deps)));
      return reply.code(204).send();
    },
  });
}

function routeDeletion(scope: AccountScope, deps: AccountDeps): void {
  scope.delete('/', {
    schema: { body: strict(PROOF), response: { 204: NO_CONTENT } },
    handler: async (request, reply) => {
      const client = getClient(request, deps);
      await deleteAccount(deps.access, requireSession(request), request.body, client);
      setCookies(reply, await clearCookies(deps.access, client));
      return reply.code(204).send();
    },
  });
}
