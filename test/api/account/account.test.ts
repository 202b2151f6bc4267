import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  openBrowser,
  openSignedIn,
  PASSWORD,
  startAccountServer,
  type AccountServer,
  type Browser,
} from '../account-server.ts';

describe('signing up and in', () => {
  let server: AccountServer;
  before(async () => (server = await startAccountServer()));
  after(() => server.close());

  it('a newcomer signs up, signs in, and is known', async () => {
    const browser = openBrowser(server);
    assert.deepEqual((await browser.get('/account/session')).body, {
      account: null,
      signups: 'open',
      mail: false,
      front_door: true,
      setup_needed: true,
      oidc: null,
      second_factor: false,
      operations: ['validateEmail', 'getMetadata', 'generatePdf'],
    });
    const signUp = await browser.post('/account/sign-up', { email: 'New@Example.com', password: PASSWORD });
    assert.equal(signUp.status, 202);
    assert.deepEqual(signUp.body, {});
    const signIn = await browser.post('/account/sign-in', { email: 'new@example.com', password: PASSWORD });
    assert.equal(signIn.status, 200);
    const { id, created_at, ...rest } = signIn.body.account;
    assert.match(id, /^acc_/);
    assert.ok(!Number.isNaN(Date.parse(created_at)));
    assert.deepEqual(rest, {
      email: 'new@example.com',
      email_verified: false,
      plan: 'free',
      admin: false,
      disabled: false,
      keys_disabled_at: null,
    });
    assert.match(
      String(signIn.headers['set-cookie']),
      /^utility-api-session=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    assert.equal((await browser.get('/account/session')).body.account.id, id);
  });

  it('behind TLS the cookie is Secure', async () => {
    const tls = await startAccountServer({ publicUrl: 'https://service.localhost' });
    const browser = openBrowser(tls);
    await browser.post('/account/sign-up', { email: 'tls@example.com', password: PASSWORD });
    const signIn = await browser.post('/account/sign-in', { email: 'tls@example.com', password: PASSWORD });
    assert.match(
      String(signIn.headers['set-cookie']),
      /^__Host-utility-api-session=[^;]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.notEqual((await browser.get('/account/session')).body.account, null);
    await tls.close();
  });

  it('behind TLS a page that was loaded without TLS is another origin', async () => {
    const tls = await startAccountServer({ trustProxy: ['203.0.113.1'] });
    const credentials = { email: 'nobody@example.com', password: PASSWORD };
    const signUp = async (origin: string) =>
      tls.app.inject({
        method: 'POST',
        url: '/account/sign-up',
        remoteAddress: '203.0.113.1',
        headers: { host: 'service.localhost', 'x-forwarded-proto': 'https', origin },
        payload: credentials,
      });
    assert.equal((await signUp('http://service.localhost')).statusCode, 401);
    assert.equal((await signUp('https://service.localhost')).statusCode, 202);
    await tls.close();
  });

  it('a registered address gets the same response, and its owner an email; the password does not change', async () => {
    await openSignedIn(server, 'taken@example.com');
    server.mails.length = 0;
    const browser = openBrowser(server);
    const again = await browser.post('/account/sign-up', {
      email: 'taken@example.com',
      password: 'something else entirely',
    });
    assert.equal(again.status, 202);
    assert.deepEqual(again.body, {});
    assert.deepEqual(
      server.mails.map(({ to, subject }) => [to, subject]),
      [['taken@example.com', 'You have an account already']],
    );
    assert.equal(
      (
        await browser.post('/account/sign-in', {
          email: 'taken@example.com',
          password: 'something else entirely',
        })
      ).status,
      401,
    );
    assert.equal(
      (await browser.post('/account/sign-in', { email: 'taken@example.com', password: PASSWORD })).status,
      200,
    );
  });

  it('two sign-ups at once create one account', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        openBrowser(server, `198.51.100.${n}`).post('/account/sign-up', {
          email: 'twice@example.com',
          password: PASSWORD,
        }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 202, 202],
    );
    assert.equal(
      (await openBrowser(server).post('/account/sign-in', { email: 'twice@example.com', password: PASSWORD }))
        .status,
      200,
    );
  });

  for (const [password, reason] of [
    ['short', /10 characters/],
    ['password123456', /guess/],
    ['qwertyuiop', /guess/],
    ['aaaaaaaaaaaaaaaa', /guess/],
    ['weak.person1', /email address/],
    ['x'.repeat(129), /128 bytes/],
  ] as const) {
    it(`a weak password says why: ${password.slice(0, 20)}`, async () => {
      const answer = await openBrowser(server, '198.51.100.77').post('/account/sign-up', {
        email: 'weak.person@example.com',
        password,
      });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'invalid_parameter');
      assert.equal(answer.body.param, 'password');
      assert.match(answer.body.message, reason);
    });
  }

  it('a stolen cookie is not valid after signing out everywhere', async () => {
    const browser = await openSignedIn(server, 'stolen@example.com');
    const thief = openBrowser(server, '192.0.2.66');
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    assert.equal((await thief.get('/account/keys')).status, 200);
    assert.equal((await browser.post('/account/sign-out-everywhere')).status, 204);
    assert.equal((await thief.get('/account/keys')).status, 401);
    assert.equal((await browser.get('/account/keys')).status, 401);
  });

  it('the database holds no session token, no key and no password', async () => {
    const browser = await openSignedIn(server, 'digest@example.com');
    const { secret } = (await browser.post('/account/keys', { name: 'k' })).body;
    const { readFile } = await import('node:fs/promises');
    const files = await Promise.all(
      ['utility-api.db', 'utility-api.db-wal'].map((name) => readFile(`${server.dataDir}/${name}`, 'latin1')),
    );
    const [cookie = ''] = browser.cookies.values();
    const token = decodeURIComponent(cookie).split('.')[0] ?? '';
    assert.ok(token.length >= 32);
    for (const text of files)
      for (const hidden of [token, secret, PASSWORD])
        assert.ok(!text.includes(hidden), 'found in the database');
  });

  it('a session ends 24 h after it was last used, and 7 days after it began', async () => {
    const browser = await openSignedIn(server, 'idle@example.com');
    const hours = 3_600_000;
    try {
      for (let at = 23; at < 168; at += 23) {
        server.clock.shiftMs = at * hours;
        assert.equal((await browser.get('/account/keys')).status, 200, `after ${at} h`);
      }
      server.clock.shiftMs = 168 * hours;
      assert.equal((await browser.get('/account/keys')).status, 401, 'after 7 days');
      await browser.post('/account/sign-in', { email: 'idle@example.com', password: PASSWORD });
      server.clock.shiftMs += 25 * hours;
      assert.equal((await browser.get('/account/keys')).status, 401, 'idle for 25 h');
    } finally {
      server.clock.shiftMs = 0;
    }
  });

  it('changing the password ends all other sessions', async () => {
    const browser = await openSignedIn(server, 'change@example.com');
    const other = openBrowser(server, '198.51.100.9');
    await other.post('/account/sign-in', { email: 'change@example.com', password: PASSWORD });
    const wrong = await browser.post('/account/password', {
      current_password: 'not it at all',
      new_password: 'a brand new secret',
    });
    assert.equal(wrong.status, 400);
    assert.equal(wrong.body.param, 'current_password');
    const weak = await browser.post('/account/password', {
      current_password: PASSWORD,
      new_password: 'short',
    });
    assert.equal(weak.body.param, 'new_password');
    assert.equal(
      (
        await browser.post('/account/password', {
          current_password: PASSWORD,
          new_password: 'a brand new secret',
        })
      ).status,
      204,
    );
    assert.equal((await browser.get('/account/keys')).status, 200);
    assert.equal((await other.get('/account/keys')).status, 401);
    assert.equal(
      (await other.post('/account/sign-in', { email: 'change@example.com', password: PASSWORD })).status,
      401,
    );
  });

  it('a forgotten password is reset by a link that works once and for an hour', async () => {
    const browser = await openSignedIn(server, 'forgot@example.com');
    const ask = async (): Promise<string> => {
      server.mails.length = 0;
      assert.equal(
        (await openBrowser(server).post('/account/password/forgot', { email: 'forgot@example.com' })).status,
        202,
      );
      while (server.mails.length === 0) await delay(1);
      return /reset-password\?token=(\S+)/.exec(server.mails[0]?.text ?? '')?.[1] ?? '';
    };
    const token = await ask();
    const reset = (given: string) =>
      openBrowser(server).post('/account/password/reset', { token: given, password: 'quite another secret' });
    assert.equal((await reset('x'.repeat(24))).body.param, 'token');
    const done = await reset(token);
    assert.deepEqual([done.status, done.body], [200, { keys_revoked: 0 }]);
    const again = await reset(token);
    assert.equal(again.status, 400);
    assert.equal(again.body.param, 'token');
    assert.equal((await browser.get('/account/keys')).status, 401, 'the old session is over');
    assert.equal(
      (
        await browser.post('/account/sign-in', {
          email: 'forgot@example.com',
          password: 'quite another secret',
        })
      ).status,
      200,
    );
    const late = await ask();
    server.clock.shiftMs = 61 * 60_000;
    const expired = await reset(late);
    server.clock.shiftMs = 0;
    assert.equal(expired.status, 400);
  });

  it('a new password ends every earlier reset link', async () => {
    const email = 'links@example.com';
    const browser = await openSignedIn(server, email, '198.51.100.30');
    const readTokens = () =>
      server.mails
        .filter(({ to }) => to === email)
        .flatMap(({ text }) => /reset-password\?token=(\S+)/.exec(text)?.[1] ?? []);
    const ask = async (): Promise<string> => {
      const known = readTokens().length;
      await openBrowser(server, '198.51.100.31').post('/account/password/forgot', { email });
      while (readTokens().length === known) await delay(1);
      return readTokens().at(-1) ?? '';
    };
    const reset = async (token: string, password: string) =>
      (await browser.post('/account/password/reset', { token, password })).status;
    const [first, second] = [await ask(), await ask()];
    assert.equal(await reset(second, 'the owner chose this'), 200);
    assert.equal(await reset(first, 'a thief chose this'), 400);
    await browser.post('/account/sign-in', { email, password: 'the owner chose this' });
    const third = await ask();
    const change = { current_password: 'the owner chose this', new_password: 'and then this one' };
    assert.equal((await browser.post('/account/password', change)).status, 204);
    assert.equal(await reset(third, 'a thief chose this'), 400);
  });

  it('strangers who sign up with an address do not use up the emails of its owner', async () => {
    const email = 'pestered@example.com';
    await openSignedIn(server, email, '198.51.100.40');
    const stranger = openBrowser(server, '198.51.100.41');
    for (let n = 0; n < 4; n++) await stranger.post('/account/sign-up', { email, password: PASSWORD });
    const owner = openBrowser(server, '198.51.100.40');
    await owner.post('/account/password/forgot', { email });
    const isSent = () =>
      server.mails.some(({ to, subject }) => to === email && subject === 'Set a new password');
    while (!isSent()) await delay(1);
  });

  it('signing in again ends the session that the browser had', async () => {
    const browser = await openSignedIn(server, 'again@example.com', '198.51.100.60');
    const old = openBrowser(server, '198.51.100.60');
    for (const [name, value] of browser.cookies) old.cookies.set(name, value);
    assert.equal((await old.get('/account/keys')).status, 200);
    const credentials = { email: 'again@example.com', password: PASSWORD };
    assert.equal((await browser.post('/account/sign-in', credentials)).status, 200);
    assert.equal((await browser.get('/account/keys')).status, 200);
    assert.equal((await old.get('/account/keys')).status, 401);
  });

  it('a wrong password when it is requested again is in the audit log', async () => {
    const browser = await openSignedIn(server, 'audited@example.com', '198.51.100.50');
    await browser.post('/account/password', { current_password: 'wrong', new_password: 'quite another one' });
    await browser.delete('/account', { password: 'wrong' });
    await new Promise(setImmediate);
    const { events } = (await browser.get('/account/audit')).body;
    const names = events.map(({ event }: { event: string }) => event);
    assert.deepEqual(names.slice(0, 2), ['account.deletion_failed', 'password.change_failed']);
  });

  it('an account that an operator created gets its password by the same link', async () => {
    const { createAccount } = await import('#accounts');
    await createAccount(
      server.storage.accounts,
      server.access.plans,
      { email: 'operator@example.com' },
      server.now(),
    );
    const browser = openBrowser(server, '192.0.2.20');
    const credentials = { email: 'operator@example.com', password: 'given by the link' };
    assert.equal((await browser.post('/account/sign-up', credentials)).status, 202);
    assert.equal(
      (await browser.post('/account/sign-in', credentials)).status,
      401,
      'signing up does not take it over',
    );
    await browser.post('/account/password/forgot', { email: 'operator@example.com' });
    const find = () =>
      server.mails.find(
        ({ to, subject }) => to === 'operator@example.com' && subject === 'Set a new password',
      );
    while (!find()) await delay(1);
    const token = /reset-password\?token=(\S+)/.exec(find()?.text ?? '')?.[1];
    assert.equal(
      (await browser.post('/account/password/reset', { token, password: credentials.password })).status,
      200,
    );
    assert.equal((await browser.post('/account/sign-in', credentials)).status, 200);
  });

  it('a reset request reveals nothing: the response is the same for an unknown address', async () => {
    const known = await openBrowser(server).post('/account/password/forgot', { email: 'forgot@example.com' });
    const unknown = await openBrowser(server).post('/account/password/forgot', {
      email: 'stranger@example.com',
    });
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body]);
  });

  it('an address is verified by the link in its email', async () => {
    server.mails.length = 0;
    const browser = await openSignedIn(server, 'verify@example.com');
    const find = () => server.mails.find(({ to }) => to === 'verify@example.com');
    while (!find()) await delay(1);
    const token = /verify-email\?token=(\S+)/.exec(find()?.text ?? '')?.[1] ?? '';
    assert.equal(
      (await openBrowser(server).post('/account/email/verify', { token: `${token}x` })).body.param,
      'token',
    );
    server.clock.shiftMs = 24 * 3_600_000 - 60_000;
    const reset = await browser.post('/account/password/reset', {
      token,
      password: 'by another kind of link',
    });
    assert.equal(reset.body.param, 'token');
    assert.equal((await browser.post('/account/email/verify', { token })).status, 204);
    assert.equal((await browser.get('/account/session')).body.account.email_verified, true);
    assert.equal((await browser.post('/account/email/verify', { token })).status, 204, 'opened again');
    server.clock.shiftMs = 24 * 3_600_000;
    assert.equal((await browser.post('/account/email/verify', { token })).body.param, 'token', 'a day later');
    server.clock.shiftMs = 0;
    server.mails.length = 0;
    assert.equal((await browser.post('/account/email/resend')).status, 202);
    assert.deepEqual(server.mails, [], 'nothing to confirm any more');
  });

  it('deleting an account needs its password, revokes its keys at once and leaves no data of its owner', async () => {
    const browser = await openSignedIn(server, 'leaving@example.com');
    const { createInvite } = await import('#accounts/sign-in');
    await createInvite(server.access, 'leaving@example.com', 'operator');
    const { secret } = (await browser.post('/account/keys', { name: 'last' })).body;
    const call = () =>
      server.app.inject({ url: '/v1/email/validate?email=a@example.com', headers: { 'x-api-key': secret } });
    assert.equal((await call()).statusCode, 200);
    assert.equal((await browser.delete('/account', { password: 'wrong wrong' })).status, 400);
    const { id } = (await browser.get('/account/session')).body.account;
    assert.equal((await browser.delete('/account', { password: PASSWORD })).status, 204);
    assert.equal((await call()).statusCode, 401);
    assert.equal((await browser.get('/account/keys')).status, 401);
    assert.equal(await server.storage.accounts.findAccountByEmail('leaving@example.com'), null);
    const left = await server.storage.access.listAuditEvents(id, undefined, 50);
    assert.ok(left.every(({ event, detail }) => event === 'account.deleted' && detail === ''));
    const { readFile, readdir } = await import('node:fs/promises');
    for (const name of await readdir(server.dataDir)) {
      const file = await readFile(`${server.dataDir}/${name}`, 'latin1');
      assert.ok(!file.includes('leaving@example.com'), `the address is still in ${name}`);
    }
    assert.equal(
      (await browser.post('/account/sign-in', { email: 'leaving@example.com', password: PASSWORD })).status,
      401,
    );
  });

  it('signing up is open, by invitation, or closed', async () => {
    const closed = await startAccountServer({ signups: 'closed' });
    assert.equal(
      (await openBrowser(closed).post('/account/sign-up', { email: 'a@example.com', password: PASSWORD }))
        .status,
      400,
    );
    await closed.close();
    const invited = await startAccountServer({ signups: 'invite' });
    const { createInvite } = await import('#accounts/sign-in');
    const signUp = (email: string, invite?: string) =>
      openBrowser(invited).post('/account/sign-up', { email, password: PASSWORD, ...(invite && { invite }) });
    assert.equal((await signUp('a@example.com')).body.param, 'invite');
    const { token } = await createInvite(invited.access, 'b@example.com', 'operator');
    assert.equal((await signUp('a@example.com', token)).body.param, 'invite');
    assert.equal((await signUp('b@example.com', token)).status, 202);
    assert.equal((await signUp('b2@example.com', token)).body.param, 'invite');
    await invited.close();
  });

  it('the set-up link creates the first administrator, once', async () => {
    const fresh = await startAccountServer();
    const { createInvite, createSetupLink } = await import('#accounts/sign-in');
    const invite = await createInvite(fresh.access, null, 'operator');
    const first = (await createSetupLink(fresh.access)) ?? '';
    const token = (await createSetupLink(fresh.access)) ?? '';
    const setUp = (given: string, email: string) =>
      openBrowser(fresh).post('/account/setup', { token: given, email, password: PASSWORD });
    assert.equal((await setUp(first, 'root@example.com')).body.param, 'token', 'a newer link replaces it');
    assert.equal(
      (await setUp(invite.token, 'root@example.com')).body.param,
      'token',
      'an invitation is none',
    );
    const answers = await Promise.all([setUp(token, 'root@example.com'), setUp(token, 'other@example.com')]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 400],
    );
    assert.equal(answers.find(({ status }) => status === 201)?.body.account.admin, true);
    assert.equal(await createSetupLink(fresh.access), null);
    await fresh.close();
  });
});

it('a sign-up with the administrator’s address during the setup does not become administrator', async () => {
  const server = await startAccountServer();
  const { createAccount } = await import('#accounts');
  const { createSetupLink } = await import('#accounts/sign-in');
  const token = (await createSetupLink(server.access)) ?? '';
  const email = 'root@example.com';
  const { useLink } = server.access.store;
  server.access.store.useLink = async (...args) => {
    await createAccount(server.storage.accounts, server.access.plans, { email }, server.now());
    return useLink(...args);
  };
  const answer = await openBrowser(server).post('/account/setup', { token, email, password: PASSWORD });
  assert.equal(answer.status, 400);
  assert.equal((await server.storage.accounts.findAccountByEmail(email))?.admin, false);
  await server.close();
});

describe('admission to /account', () => {
  let server: AccountServer;
  let browser: Browser;
  before(async () => {
    server = await startAccountServer();
    browser = await openSignedIn(server, 'door@example.com');
  });
  after(() => server.close());

  it('a forged Origin, another site and no origin at all are refused', async () => {
    const forge = (headers: Record<string, string>) =>
      server.app.inject({
        method: 'POST',
        url: '/account/keys',
        headers: {
          host: 'service.localhost',
          cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
          'content-type': 'application/json',
          ...headers,
        },
        payload: '{"name":"forged"}',
      });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://service.localhost.evil.example' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      {},
    ] as Record<string, string>[]) {
      const answer = await forge(headers);
      assert.equal(answer.statusCode, 401, JSON.stringify(headers));
    }
    assert.equal((await forge({ origin: 'http://service.localhost' })).statusCode, 201);
    assert.equal((await browser.get('/account/keys')).body.keys.length, 1);
  });

  it('forms and other media types are refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal(
        (await browser.post('/account/keys', '{"name":"x"}', { 'content-type': type })).status,
        415,
        type,
      );
    assert.equal((await browser.post('/account/keys', '{"name":"x"', {})).body.error, 'invalid_json');
    assert.equal((await browser.post('/account/keys', '[]', {})).body.error, 'invalid_json');
    assert.equal(
      (await browser.post('/account/keys', '{"name":"x","__proto__":{"admin":true}}', {})).status,
      400,
    );
  });

  it('an API key has no effect here, and a cookie none under /v1', async () => {
    const { secret } = (await browser.post('/account/keys', { name: 'k' })).body;
    const stranger = openBrowser(server);
    assert.equal((await stranger.get('/account/keys', { 'x-api-key': secret })).status, 401);
    assert.equal((await browser.get('/v1/email/validate?email=a@example.com')).status, 401);
  });

  it('a broken or foreign cookie is no session and no server error', async () => {
    const [name = '', value = ''] = [...browser.cookies][0] ?? [];
    const token = value.split('.')[0] ?? '';
    for (const cookie of [
      `${name}=`,
      `${name}=%`,
      `${name}=%E0%A4%A`,
      `${name}=a.b`,
      `${name}=${'x'.repeat(8_000)}`,
      `${name}=${token}`,
      `${name}=${token}.${'A'.repeat(43)}%3D`,
      `__Host-${name}=${value}`,
      `${name}=${value.slice(0, -1)}`,
      `x${name}=${value}`,
      `${name}=\u00e9\u00ff`,
    ]) {
      const answer = await server.app.inject({ url: '/account/keys', headers: { cookie } });
      assert.equal(answer.statusCode, 401, cookie.slice(0, 80));
    }
  });

  it('JSON that is nested 100,000 deep is a 400', async () => {
    const { key } = (await browser.post('/account/keys', { name: 'deep' })).body;
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const path of ['keys', 'try/generatePdf', 'try/validateEmail', 'sign-in', 'password'])
      for (const body of [deep, `{"key_id":"${key.id}","name":"n","html":${deep},"email":${deep}}`]) {
        const answer = await browser.post(`/account/${path}`, body);
        assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`);
      }
  });

  it('120 changes a minute are enough', async () => {
    const busy = await openSignedIn(server, 'busy@example.com', '203.0.113.44');
    const { key } = (await busy.post('/account/keys', { name: 'k' })).body;
    const statuses: number[] = [];
    for (let n = 0; n < 121; n++) statuses.push((await busy.patch(`/account/keys/${key.id}`, {})).status);
    assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [119, 429]);
    assert.equal((await busy.get('/account/keys')).status, 200);
  });

  it('unknown members are refused by name', async () => {
    const answer = await browser.post('/account/keys', { name: 'k', admin: true });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.param, 'admin');
  });

  it('so is __proto__ in a query', async () => {
    const answer = await browser.get('/account/usage?__proto__=1');
    assert.equal(answer.status, 400);
    assert.equal(answer.body.param, '__proto__');
  });

  it('an unknown path is a 404 in the error shape', async () => {
    const answer = await browser.get('/account/nothing');
    assert.equal(answer.status, 404);
    assert.deepEqual(Object.keys(answer.body), ['error', 'message', 'request_id']);
  });
});
