/** The actions of administrators on accounts, and what they see of the service. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  openBrowser,
  openSignedIn,
  PASSWORD,
  startAccountServer,
  type AccountServer,
  type Browser,
} from '../account-server.ts';

const NEW_PASSWORD = 'another fine secret';

describe('administrators', () => {
  let server: AccountServer;
  let boss: Browser;
  let bossId: string;
  before(async () => {
    server = await startAccountServer();
    boss = await openSignedIn(server, 'boss@example.com', '198.51.100.7');
    bossId = (await boss.get('/account/session')).body.account.id;
    await server.storage.accounts.updateAccount(bossId, { admin: true }, server.now());
  });
  after(() => server.close());

  const open = async (email: string) => {
    const browser = await openSignedIn(server, email);
    return { browser, id: (await browser.get('/account/session')).body.account.id as string };
  };
  const call = (key: string) =>
    server.app.inject({ url: '/v1/email/validate?email=a@example.com', headers: { 'x-api-key': key } });
  const listEvents = async (accountId: string) => {
    // Entries are written after the response.
    await setImmediate();
    return server.storage.access.listAuditEvents(accountId, undefined, 50);
  };

  it('an account’s detail has its keys, usage, plan, sessions and last sign-in, and no secret', async () => {
    const { browser, id } = await open('detail@example.com');
    const { key, secret } = (await browser.post('/account/keys', { name: 'ci' })).body;
    await call(secret);
    await call(secret);
    await server.recorder.flush();
    const { status, body, text } = await boss.get(`/account/admin/accounts/${id}`);
    assert.equal(status, 200);
    assert.equal(body.account.email, 'detail@example.com');
    assert.equal(body.account.disabled, false);
    assert.deepEqual([body.has_password, body.has_identity, body.second_factor], [true, false, false]);
    assert.equal(body.sessions, 1);
    assert.equal(body.plan.name, 'free');
    assert.equal(body.plan.limit_per_minute, 60);
    assert.ok(Date.parse(body.last_sign_in_at) <= server.now());
    const [own] = body.keys;
    assert.deepEqual(
      [own.id, own.prefix, own.last_four, own.status],
      [key.id, secret.slice(0, 12), secret.slice(-4), 'active'],
    );
    assert.ok(own.last_used_at !== null);
    const sums = {
      requests: 2,
      errors: 0,
      operations: [{ operation: 'validateEmail', requests: 2, errors: 0 }],
    };
    for (const period of ['today', 'last_7_days', 'this_month']) {
      const { from, ...counts } = body.usage[period];
      assert.deepEqual(counts, sums, period);
      assert.ok(Date.parse(from) <= server.now());
    }
    assert.ok(!text.includes(secret));
    assert.equal((await boss.get('/account/admin/accounts/acc_none')).status, 404);
  });

  it('the usage of all accounts has totals by operation and time, and the accounts with most requests', async () => {
    const { browser, id } = await open('busy@example.com');
    const { secret } = (await browser.post('/account/keys', { name: 'k' })).body;
    for (let n = 0; n < 5; n++) await call(secret);
    await server.recorder.flush();
    for (const bucket of ['day', 'hour']) {
      const { body } = await boss.get(`/account/admin/usage?bucket=${bucket}`);
      assert.equal(body.top_accounts[0].id, id);
      assert.deepEqual(
        [body.top_accounts[0].email, body.top_accounts[0].plan, body.top_accounts[0].requests],
        ['busy@example.com', 'free', 5],
      );
      assert.equal(body.accounts, body.top_accounts.length);
      const inRows = body.rows.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      assert.equal(inRows, body.totals.requests);
      assert.equal(body.totals.operations[0].operation, 'validateEmail');
    }
    const past = await boss.get('/account/admin/usage?from=2020-01-01&to=2020-01-31');
    assert.deepEqual([past.body.totals.requests, past.body.rows, past.body.top_accounts], [0, [], []]);
    for (const query of ['from=2020-01-01', 'from=2030-01-01&to=2020-01-01', 'bucket=minute', 'to=now'])
      assert.equal((await boss.get(`/account/admin/usage?${query}`)).status, 400, query);
  });

  it('a request is found by its id, with its account and key', async () => {
    const { browser, id } = await open('logged@example.com');
    const { key, secret } = (await browser.post('/account/keys', { name: 'in the log' })).body;
    const requestId = String((await call(secret)).headers['x-request-id']);
    await server.recorder.flush();
    const { body } = await boss.get(`/account/admin/requests/${requestId}`);
    assert.deepEqual(body.request.account, { id, email: 'logged@example.com', plan: 'free' });
    assert.deepEqual(body.request.key, { prefix: key.prefix, last_four: key.last_four });
    assert.equal(body.request.key_name, 'in the log');
    assert.equal(body.request.status, 200);
    assert.equal(body.request.request_id, requestId);
    const unknown = await boss.get('/account/admin/requests/none');
    assert.deepEqual([unknown.status, unknown.body], [200, { request: null }]);
  });

  it('a reset link works once, sets the password, ends sessions, and does not verify the address', async () => {
    const { browser, id } = await open('locked-out@example.com');
    const link = await boss.post(`/account/admin/accounts/${id}/reset-link`);
    assert.equal(link.status, 201);
    assert.ok(Date.parse(link.body.expires_at) - server.now() <= 3_600_000);
    const [, token] =
      /^http:\/\/service\.localhost\/reset-password\?token=(\w{32})$/.exec(link.body.url) ?? [];
    const set = () => openBrowser(server).post('/account/password/reset', { token, password: NEW_PASSWORD });
    assert.equal((await set()).status, 200);
    assert.equal((await set()).status, 400, 'used');
    assert.equal((await browser.get('/account/keys')).status, 401);
    const again = openBrowser(server);
    const credentials = { email: 'locked-out@example.com', password: NEW_PASSWORD };
    assert.equal((await again.post('/account/sign-in', credentials)).body.account.email_verified, false);
    const events = await listEvents(id);
    const created = events.find(({ event }) => event === 'password.reset_link_created');
    assert.deepEqual([created?.detail, created?.ip], ['by an administrator', null]);
    const [own] = await listEvents(bossId);
    assert.deepEqual(
      [own?.event, own?.detail, own?.ip],
      ['administrator.created_reset_link', id, '198.51.100.7'],
    );
  });

  it('an address is verified by hand, and not the other way round', async () => {
    const { id } = await open('by-hand@example.com');
    const path = `/account/admin/accounts/${id}`;
    assert.equal((await boss.patch(path, { email_verified: false })).status, 400);
    assert.equal((await boss.patch(path, { email_verified: true })).body.account.email_verified, true);
    const [event] = await listEvents(id);
    assert.deepEqual([event?.event, event?.ip], ['email.verified', null]);
  });

  it('an account is deleted with its keys after its address was typed', async () => {
    const { browser, id } = await open('doomed@example.com');
    const { secret } = (await browser.post('/account/keys', { name: 'k' })).body;
    const path = `/account/admin/accounts/${id}`;
    const wrong = await boss.delete(path, { email: 'other@example.com' });
    assert.deepEqual([wrong.status, wrong.body.param], [400, 'email']);
    assert.equal((await call(secret)).statusCode, 200);
    assert.equal((await boss.delete(path, { email: 'Doomed@example.com ' })).status, 204);
    assert.equal((await call(secret)).statusCode, 401);
    assert.equal((await browser.get('/account/keys')).status, 401);
    assert.equal((await boss.delete(path, { email: 'doomed@example.com' })).status, 404);
    assert.deepEqual(await listEvents(id), [], 'its audit trail is deleted with it');
    const [own] = await listEvents(bossId);
    assert.deepEqual([own?.event, own?.detail], ['administrator.deleted_account', id]);
  });

  it('a key of another account is revoked at once and only once, in both audit trails', async () => {
    const { browser, id } = await open('leaked@example.com');
    const { key, secret } = (await browser.post('/account/keys', { name: 'Shop' })).body;
    const { secret: other } = (await browser.post('/account/keys', { name: 'Cron' })).body;
    assert.equal((await call(secret)).statusCode, 200);
    const path = `/account/admin/accounts/${id}/keys/${key.id}`;
    const { status, text } = await boss.delete(path);
    assert.deepEqual([status, text], [204, '']);
    assert.equal((await call(secret)).statusCode, 401);
    assert.equal((await call(other)).statusCode, 200);
    const revokedAt = (await browser.get('/account/keys')).body.keys.map(
      ({ name, revoked_at }: Record<string, unknown>) => [name, revoked_at !== null],
    );
    assert.deepEqual(Object.fromEntries(revokedAt), { Shop: true, Cron: false });
    assert.equal((await boss.delete(path)).status, 204, 'again');
    const ofAccount = (await listEvents(id)).filter(({ event }) => event === 'key.revoked');
    assert.deepEqual(
      ofAccount.map(({ detail, ip }) => [detail, ip]),
      [['Shop, by an administrator', null]],
    );
    const own = (await listEvents(bossId)).filter(({ event }) => event === 'administrator.revoked_key');
    assert.deepEqual(
      own.map(({ detail, ip }) => [detail, ip]),
      [[`${id}: ${key.id}`, '198.51.100.7']],
      'without the name of the key, which would outlive the account',
    );
  });

  it('a key is revoked only under its own account', async () => {
    const { browser } = await open('keeps@example.com');
    const { key, secret } = (await browser.post('/account/keys', { name: 'k' })).body;
    const { id: stranger } = await open('stranger@example.com');
    const { id } = (await browser.get('/account/session')).body.account;
    for (const path of [`${stranger}/keys/${key.id}`, `acc_none/keys/${key.id}`, `${id}/keys/key_none`]) {
      const { status, body } = await boss.delete(`/account/admin/accounts/${path}`);
      assert.deepEqual([status, body.error], [404, 'not_found'], path);
    }
    assert.equal((await call(secret)).statusCode, 200);
  });

  it('administrators delete neither themselves here nor the last administrator', async () => {
    const own = await boss.delete(`/account/admin/accounts/${bossId}`, { email: 'boss@example.com' });
    assert.deepEqual([own.status, own.body.param], [400, 'id']);
    await assert.rejects(server.storage.accounts.deleteAccount(bossId), /only administrator/);
  });

  it('invitations are listed with who created them, used once, and revoked', async () => {
    const invite = async (email?: string) =>
      new URL((await boss.post('/account/admin/invites', email ? { email } : {})).body.url).searchParams.get(
        'invite',
      ) ?? undefined;
    const used = await invite('invited@example.com');
    const revoked = await invite();
    const list = async () => (await boss.get('/account/admin/invites')).body.invitations;
    const listed = await list();
    const first = listed.find(({ email }: { email: string | null }) => email !== null);
    const second = listed.find(({ email }: { email: string | null }) => email === null);
    assert.deepEqual(
      [first.email, first.created_by, first.state, first.used_at],
      ['invited@example.com', 'boss@example.com', 'pending', null],
    );
    assert.equal(Date.parse(second.expires_at) - Date.parse(second.created_at), 7 * 86_400_000);
    assert.equal((await boss.delete(`/account/admin/invites/${second.id}`)).status, 204);
    assert.equal((await boss.delete(`/account/admin/invites/${second.id}`)).status, 404);
    const signUp = (email: string, token?: string) =>
      openBrowser(server).post('/account/sign-up', { email, password: PASSWORD, invite: token });
    assert.equal((await signUp('late@example.com', revoked)).body.param, 'invite');
    assert.equal((await signUp('invited@example.com', used)).status, 202);
    const [left, ...others] = await list();
    assert.deepEqual([left.state, others], ['used', []]);
    assert.equal((await boss.delete(`/account/admin/invites/${left.id}`)).status, 404, 'it was used');
    assert.equal((await signUp('invited@example.com', used)).body.param, 'invite');
    const events = (await listEvents(bossId)).map(({ event }) => event);
    assert.deepEqual(events.slice(0, 3), ['invitation.revoked', 'invitation.created', 'invitation.created']);
  });

  it('the health of every part is returned, without secrets', async () => {
    const { status, body } = await boss.get('/account/admin/health');
    assert.equal(status, 200);
    assert.equal(body.version, '1.2.3');
    assert.ok(body.uptime_seconds > 0);
    assert.deepEqual(body.parts.database, { ok: true, reason: null, kind: 'SQLite', bytes: 4096 });
    assert.deepEqual(body.queues, [{ kind: 'browserPages', capacity: 4, held: 1, queued: 0 }]);
  });
});

describe('the audit trail', () => {
  let server: AccountServer;
  before(async () => (server = await startAccountServer()));
  after(() => server.close());

  it('each event has the IP address of its actor, and the trail says how long it is kept', async () => {
    const browser = openBrowser(server, '2001:db8:0:0:0:0:0:5');
    const credentials = { email: 'audited@example.com', password: PASSWORD };
    await browser.post('/account/sign-up', credentials);
    await browser.post('/account/sign-in', { ...credentials, password: 'not the password' });
    await browser.post('/account/sign-in', credentials);
    await browser.post('/account/keys', { name: 'k' });
    await setImmediate();
    const { events, retention_days } = (await browser.get('/account/audit')).body;
    assert.deepEqual(
      events.map(({ event, ip }: { event: string; ip: string }) => [event, ip]),
      [
        ['key.created', '2001:db8::5'],
        ['sign_in', '2001:db8::5'],
        ['sign_in.failed', '2001:db8::5'],
        ['account.created', '2001:db8::5'],
      ],
    );
    assert.equal(retention_days, 90);
  });

  it('the list of sessions has the device, the IP address and the current session', async () => {
    const credentials = { email: 'devices@example.com', password: PASSWORD };
    const one = await openSignedIn(server, credentials.email, '2001:db8::6');
    const other = openBrowser(server, '192.0.2.9');
    await other.post('/account/sign-in', credentials);
    const { sessions } = (await one.get('/account/sessions')).body;
    const shown = sessions.map((session: Record<string, unknown>) => [
      session['ip'],
      session['current'],
      session['user_agent'],
    ]);
    assert.deepEqual(shown.toSorted(), [
      ['192.0.2.9', false, 'Test Browser'],
      ['2001:db8::6', true, 'Test Browser'],
    ]);
  });
});
