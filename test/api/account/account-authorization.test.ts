import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  FREE_SHARES,
  PRO_SHARES,
  openBrowser,
  openSignedIn,
  PASSWORD,
  startAccountServer,
  type AccountServer,
  type Browser,
} from '../account-server.ts';

/** Every endpoint: method, path, body; `:key` and `:session` are another account's. */
const SIGNED_IN: [method: string, path: string, body?: unknown][] = [
  ['POST', '/account/sign-out', {}],
  ['POST', '/account/sign-out-everywhere', {}],
  ['POST', '/account/password', { current_password: PASSWORD, new_password: 'another fine secret' }],
  ['POST', '/account/email/resend', {}],
  ['DELETE', '/account', { password: PASSWORD }],
  ['GET', '/account/sign-in-methods'],
  ['POST', '/account/second-factor', { password: PASSWORD }],
  ['POST', '/account/second-factor/confirm', { code: '123456' }],
  ['POST', '/account/second-factor/recovery-codes', { password: PASSWORD }],
  ['DELETE', '/account/second-factor', { password: PASSWORD }],
  ['DELETE', '/account/oidc', { password: PASSWORD }],
  ['GET', '/account/sessions'],
  ['DELETE', '/account/sessions/:session'],
  ['GET', '/account/plan'],
  ['GET', '/account/keys'],
  ['POST', '/account/keys', { name: 'k' }],
  ['PATCH', '/account/keys/:key', { name: 'stolen' }],
  ['POST', '/account/keys/:key/rotate', { grace_days: 0 }],
  ['DELETE', '/account/keys/:key'],
  ['GET', '/account/overview'],
  ['GET', '/account/usage'],
  ['GET', '/account/usage.csv'],
  ['GET', '/account/usage/errors'],
  ['GET', '/account/usage/latency'],
  ['GET', '/account/usage/months'],
  ['GET', '/account/usage/quota'],
  ['GET', '/account/requests'],
  ['GET', '/account/requests.csv'],
  ['GET', '/account/requests/histogram'],
  ['GET', '/account/requests/:request'],
  ['GET', '/account/retention'],
  ['POST', '/account/try/validateEmail?key_id=:key', { email: 'a@example.com' }],
  ['POST', '/account/try/getMetadata?key_id=:key', { url: 'https://example.com' }],
  ['POST', '/account/try/generatePdf?key_id=:key', { html: '<p>x' }],
  ['GET', '/account/audit'],
  ['GET', '/account/export'],
];
const ADMIN: [method: string, path: string, body?: unknown][] = [
  ['GET', '/account/admin/accounts'],
  ['GET', '/account/admin/accounts/:account'],
  ['PATCH', '/account/admin/accounts/:account', { plan: 'pro' }],
  ['DELETE', '/account/admin/accounts/:account', { email: 'ann@example.com' }],
  ['DELETE', '/account/admin/accounts/:account/keys/:key'],
  ['POST', '/account/admin/accounts/:account/reset-link', {}],
  ['GET', '/account/admin/plans'],
  ['GET', '/account/admin/invites'],
  ['POST', '/account/admin/invites', {}],
  ['DELETE', '/account/admin/invites/:key'],
  ['GET', '/account/admin/usage'],
  ['GET', '/account/admin/requests/:key'],
  ['GET', '/account/admin/health'],
  ['GET', '/account/admin/lists'],
  ['POST', '/account/admin/lists/accept', { source: 'https://lists.example/' }],
];

describe('authorization of every endpoint', () => {
  let server: AccountServer;
  let ann: Browser;
  let bob: Browser;
  let fill: (text: string) => string;
  let annKey: { id: string };
  before(async () => {
    server = await startAccountServer();
    ann = await openSignedIn(server, 'ann@example.com');
    bob = await openSignedIn(server, 'bob@example.com');
    const created = (await ann.post('/account/keys', { name: 'ann’s' })).body;
    annKey = created.key;
    const call = await ann.get('/v1/email/validate?email=a@b.example', { 'x-api-key': created.secret });
    await server.recorder.flush();
    const session = (await ann.get('/account/sessions')).body.sessions[0].id;
    const account = (await ann.get('/account/session')).body.account.id;
    fill = (text) =>
      text
        .replace(':key', annKey.id)
        .replace(':request', String(call.headers['x-request-id']))
        .replace(':session', session)
        .replace(':account', account);
  });
  after(() => server.close());

  const send = (browser: Browser, [method, path, body]: (typeof SIGNED_IN)[number]) =>
    browser.send(method, fill(path), body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body))));

  it('the lists of this test name every route', () => {
    assert.ok(server.routes.length > SIGNED_IN.length);
    const formatRoute = (method: string, path: string) =>
      `${method} ${path.replaceAll(/:\w+/g, ':id').replace(/try\/.*/, 'try/:id')}`;
    const tested = new Set([...SIGNED_IN, ...ADMIN].map(([method, path]) => formatRoute(method, path)));
    const open = new Set([
      'session',
      'sign-up',
      'sign-in',
      'setup',
      'password/forgot',
      'password/reset',
      'password/reset/preview',
      'email/verify',
      'sign-in/second-factor',
      'oidc/start',
      'oidc/callback',
      'oidc/refusals/:code',
    ]);
    for (const [method, path] of server.routes)
      if (path.startsWith('/account') && method !== 'HEAD' && !open.has(path.slice('/account/'.length)))
        assert.ok(
          tested.has(formatRoute(method, path.replace(/\/$/, ''))),
          `${method} ${path} is not tested`,
        );
  });

  for (const row of [...SIGNED_IN, ...ADMIN])
    it(`401 without a session: ${row[0]} ${row[1]}`, async () => {
      const { status, body } = await send(openBrowser(server), row);
      assert.equal(status, 401);
      assert.equal(body.error, 'unauthorized');
    });

  for (const row of ADMIN)
    it(`404 for a user who is no administrator: ${row[0]} ${row[1]}`, async () => {
      assert.equal((await send(bob, row)).status, 404);
    });

  for (const row of SIGNED_IN.filter((row) => /[/=]:/.test(JSON.stringify(row))))
    it(`404 for another account’s id: ${row[0]} ${row[1]}`, async () => {
      const { status, body } = await send(bob, row);
      assert.equal(status, 404);
      assert.equal(body.error, 'not_found');
    });

  it('only the account’s own data is returned', async () => {
    assert.deepEqual((await bob.get('/account/keys')).body.keys, []);
    assert.equal((await bob.get('/account/usage?key_id=' + annKey.id)).body.totals.requests, 0);
    assert.deepEqual((await bob.get('/account/requests?key_id=' + annKey.id)).body.requests, []);
    assert.deepEqual((await bob.get(fill('/account/requests?request_id=:request'))).body.requests, []);
    assert.equal((await bob.get(fill('/account/requests/histogram'))).body.total, 0);
    assert.equal((await bob.get('/account/requests.csv')).text.trim().split('\n').length, 1);
    const { months } = (await bob.get('/account/usage/months')).body;
    assert.deepEqual([months.length, months[0].requests], [1, 0]);
    assert.deepEqual((await bob.get('/account/usage/latency')).body.operations, []);
    assert.equal((await ann.get('/account/requests')).body.requests.length, 1);
    assert.equal((await bob.get('/account/sessions')).body.sessions.length, 1);
    for (const { event } of (await bob.get('/account/audit')).body.events)
      assert.ok(!event.startsWith('key.'));
  });

  it('and nothing of the other account was touched', async () => {
    const { keys } = (await ann.get('/account/keys')).body;
    assert.equal(keys.length, 1);
    assert.equal(keys[0].name, 'ann’s');
    assert.equal(keys[0].status, 'active');
  });

  it('an administrator lists, finds, changes plans, disables and invites', async () => {
    const boss = await openSignedIn(server, 'boss@example.com');
    const { id } = (await boss.get('/account/session')).body.account;
    await server.storage.accounts.updateAccount(id, { admin: true }, server.now());
    const all = (await boss.get('/account/admin/accounts')).body;
    assert.deepEqual(
      all.accounts.map(({ email }: { email: string }) => email),
      ['boss@example.com', 'bob@example.com', 'ann@example.com'],
    );
    const [found] = (await boss.get('/account/admin/accounts?query=ANN')).body.accounts;
    assert.equal(found.keys, 1);
    assert.deepEqual((await boss.get('/account/admin/accounts?query=%25')).body.accounts, []);
    const changed = await boss.patch(`/account/admin/accounts/${found.id}`, { plan: 'pro' });
    assert.equal(changed.body.account.plan, 'pro');
    assert.equal(
      (await boss.patch(`/account/admin/accounts/${found.id}`, { plan: 'gold' })).body.param,
      'plan',
    );
    assert.deepEqual((await boss.get('/account/admin/plans')).body.plans, [
      { name: 'free', limit_per_minute: 60, monthly_quota: null, shares: FREE_SHARES, accounts: 2 },
      { name: 'pro', limit_per_minute: 600, monthly_quota: null, shares: PRO_SHARES, accounts: 1 },
    ]);
    const { secret } = (await ann.post('/account/keys', { name: 'second' })).body;
    const call = () =>
      server.app.inject({ url: '/v1/email/validate?email=a@example.com', headers: { 'x-api-key': secret } });
    assert.equal((await call()).headers['x-ratelimit-limit'], '600');
    assert.equal(
      (await boss.patch(`/account/admin/accounts/${found.id}`, { disabled: true })).body.account.disabled,
      true,
    );
    assert.equal((await call()).statusCode, 401);
    assert.equal((await ann.get('/account/keys')).status, 401);
    assert.equal(
      (await ann.post('/account/sign-in', { email: 'ann@example.com', password: PASSWORD })).status,
      401,
    );
    assert.deepEqual(await server.storage.access.listSessions(found.id, 0, 0), []);
    await boss.patch(`/account/admin/accounts/${found.id}`, { disabled: false });
    assert.equal((await call()).statusCode, 200);
    assert.equal((await boss.patch(`/account/admin/accounts/${id}`, { disabled: true })).status, 400);
    assert.equal((await boss.patch('/account/admin/accounts/acc_none', { disabled: true })).status, 404);
    const deletion = await boss.delete('/account', { password: PASSWORD });
    assert.equal(deletion.status, 400);
    assert.match(deletion.body.message, /only administrator/);
    assert.equal((await boss.get('/account/admin/plans')).status, 200);
    const invite = await boss.post('/account/admin/invites', { email: 'new@example.com' });
    assert.equal(invite.status, 201);
    assert.match(
      invite.body.url,
      /^http:\/\/service\.localhost\/sign-up\?invite=\w{32}&email=new%40example\.com$/,
    );
  });
});

describe('without the database', () => {
  it('every endpoint is a 503 with Retry-After, never a 401 and never a 500', async () => {
    const server = await startAccountServer();
    const browser = await openSignedIn(server, 'cut-off@example.com');
    const { secret, key } = (await browser.post('/account/keys', { name: 'k' })).body;
    const cookies = new Map(browser.cookies);
    server.outage.isOn = true;
    const open: typeof SIGNED_IN = [
      ['GET', '/account/session'],
      ['POST', '/account/sign-up', { email: 'new@example.com', password: PASSWORD }],
      ['POST', '/account/sign-in', { email: 'cut-off@example.com', password: PASSWORD }],
      ['POST', '/account/sign-in', { email: 'unknown@example.com', password: PASSWORD }],
      ['POST', '/account/setup', { token: 't', email: 'new@example.com', password: PASSWORD }],
      ['POST', '/account/password/reset', { token: 't', password: PASSWORD }],
      ['POST', '/account/password/reset/preview', { token: 't' }],
    ];
    for (const [method, path, body] of [...open, ...SIGNED_IN, ...ADMIN]) {
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      const answer = await browser.send(method, path.replaceAll(/:\w+/g, key.id), body);
      assert.equal(answer.status, 503, `${method} ${path}`);
      assert.equal(answer.body.error, 'unavailable');
      assert.equal(answer.headers['retry-after'], '30');
    }
    const unknownHere = await server.app.inject({
      url: '/v1/email/validate?email=a@b.co',
      headers: { 'x-api-key': secret },
    });
    assert.equal(unknownHere.statusCode, 503, 'a key that is not cached');
    server.outage.isOn = false;
    await server.close();
  });
});
