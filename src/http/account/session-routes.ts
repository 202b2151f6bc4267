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
import { ApiError } from '#errors';
import type { FastifyInstance } from 'fastify';
import type { AccountDeps } from './account-deps.ts';
import { formatTime, toAccountJson } from './account-json.ts';
import { getClient, requireSession, setCookies } from './guard-request.ts';
import { createBodyParser, members, optional, text } from './parse-input.ts';

const email = text(320, 'an email address');
const password = text(1_000, 'a password');
const ANYONE = { config: { audience: 'anyone' } } as const;

/** Adds the endpoints of sign-up, sign-in and sign-out, of an account's sessions, and of its deletion. */
export function routeSessions(scope: FastifyInstance, deps: AccountDeps): void {
  const { access, accounts } = deps;
  const parseSignUp = createBodyParser(members({ email, password, invite: optional(text(100)) }));
  const parseSignIn = createBodyParser(members({ email, password }));
  const parseSetUp = createBodyParser(members({ token: text(100), email, password }));
  const parseEmpty = createBodyParser(members({}));
  const parsePassword = createBodyParser(members({ password }));

  scope.get('/session', ANYONE, async (request, reply) => {
    const session = await findSession(access, getClient(request, deps));
    setCookies(reply, session?.setCookies ?? []);
    return {
      account: session ? toAccountJson(session.account) : null,
      signups: access.signups,
      mail: deps.canSendMail,
      setup_needed: !(await accounts.hasAdmin()),
    };
  });
  scope.post('/sign-up', ANYONE, async (request, reply) => {
    await signUp(access, parseSignUp(request), getClient(request, deps));
    return reply.code(202).send({});
  });
  scope.post('/sign-in', ANYONE, async (request, reply) => {
    const { account, setCookies: cookies } = await signIn(
      access,
      parseSignIn(request),
      getClient(request, deps),
    );
    setCookies(reply, cookies);
    return { account: toAccountJson(account) };
  });
  scope.post('/setup', ANYONE, async (request, reply) => {
    const { account, setCookies: cookies } = await setUp(
      access,
      parseSetUp(request),
      getClient(request, deps),
    );
    setCookies(reply, cookies);
    return reply.code(201).send({ account: toAccountJson(account) });
  });
  scope.post('/sign-out', async (request, reply) => {
    parseEmpty(request);
    setCookies(reply, await signOut(access, requireSession(request), getClient(request, deps)));
    return reply.code(204).send();
  });
  scope.post('/sign-out-everywhere', async (request, reply) => {
    parseEmpty(request);
    setCookies(reply, await signOutEverywhere(access, requireSession(request), getClient(request, deps)));
    return reply.code(204).send();
  });
  scope.delete('/', async (request, reply) => {
    const { password: given } = parsePassword(request);
    await deleteAccount(access, requireSession(request), given, getClient(request, deps));
    setCookies(reply, await clearCookies(access, getClient(request, deps)));
    return reply.code(204).send();
  });
  scope.get('/sessions', {
    handler: async (request) => {
      const { id, account } = requireSession(request);
      const sessions = await listSessions(access, account.id);
      return {
        sessions: sessions.map((session) => ({
          id: session.id,
          created_at: formatTime(session.createdAtMs),
          last_seen_at: formatTime(session.lastSeenAtMs),
          user_agent: session.userAgent,
          current: session.id === id,
        })),
      };
    },
  });
  scope.delete<{ Params: { id: string } }>('/sessions/:id', async (request, reply) => {
    const { id, account } = requireSession(request);
    if (!(await access.store.deleteSession(account.id, request.params.id)))
      throw new ApiError('not_found', 'There is no such session.');
    recordAudit(access, account.id, 'session.ended', '', request.id);
    if (request.params.id === id) setCookies(reply, await clearCookies(access, getClient(request, deps)));
    return reply.code(204).send();
  });
}
