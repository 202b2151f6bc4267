import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  FREE_SHARES,
  PRO_SHARES,
  openBrowser,
  openSignedIn,
  startAccountServer,
  type AccountServer,
  type Browser,
} from '../account-server.ts';

const DAY_MS = 86_400_000;

describe('/account/keys', () => {
  let server: AccountServer;
  let browser: Browser;
  before(async () => {
    server = await startAccountServer();
    browser = await openSignedIn(server, 'keys@example.com');
  });
  after(() => server.close());

  const call = (secret: string, remoteAddress = '203.0.113.9') =>
    server.app.inject({
      url: '/v1/email/validate?email=a@example.com',
      headers: { 'x-api-key': secret },
      remoteAddress,
    });

  it('a key is shown once, and works at once', async () => {
    const { status, body } = await browser.post('/account/keys', { name: '  my   server ' });
    assert.equal(status, 201);
    assert.match(body.secret, /^ua_live_[0-9A-Za-z]{38}$/);
    const { id, created_at: createdAt, ...rest } = body.key;
    assert.ok(Date.parse(createdAt) <= Date.now());
    assert.match(id, /^key_[0-9A-Za-z]{16}$/);
    assert.deepEqual(rest, {
      name: 'my server',
      prefix: body.secret.slice(0, 12),
      last_four: body.secret.slice(-4),
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      status: 'active',
      operations: null,
      client_cidrs: null,
      rotated_to: null,
    });
    const list = await browser.get('/account/keys');
    const { usage, ...listed } = list.body.keys[0];
    assert.deepEqual(listed, body.key);
    assert.equal(usage.today, 0);
    assert.ok(!list.text.includes(body.secret));
    const answer = await call(body.secret);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['x-ratelimit-limit'], '60');
  });

  for (const [members, param] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'x'.repeat(10_000) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\u202Eb' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'k', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'k', expires_at: '2999-02-30T00:00:00Z' }, 'expires_at'],
    [{ name: 'k', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'k', expires_at: 5 }, 'expires_at'],
    [{ name: 'k', operations: [] }, 'operations'],
    [{ name: 'k', operations: ['nothing'] }, 'operations'],
    [{ name: 'k', operations: 'getMetadata' }, 'operations'],
    [{ name: 'k', client_cidrs: ['10.0.0.0/33'] }, 'client_cidrs'],
    [{ name: 'k', client_cidrs: ['example.com'] }, 'client_cidrs'],
    [{ name: 'k', client_cidrs: [] }, 'client_cidrs'],
  ] as const) {
    it(`400 naming ${param}: ${JSON.stringify(members).slice(0, 50)}`, async () => {
      const { status, body } = await browser.post('/account/keys', members);
      assert.equal(status, 400);
      assert.equal(body.error, 'invalid_parameter');
      assert.equal(body.param, param);
    });
  }

  it('HTML in a name is text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const { body, headers } = await browser.post('/account/keys', { name });
    assert.equal(body.key.name, name);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  it('a double click creates one key; another request with the same Idempotency-Key is refused', async () => {
    const headers = { 'idempotency-key': 'click-1' };
    const [one, other] = await Promise.all([
      browser.post('/account/keys', { name: 'clicked' }, headers),
      browser.post('/account/keys', { name: 'clicked' }, headers),
    ]);
    assert.equal(one.status, 201);
    assert.deepEqual(one.body, other.body);
    const { keys } = (await browser.get('/account/keys')).body;
    assert.equal(keys.filter(({ name }: { name: string }) => name === 'clicked').length, 1);
    assert.equal(
      (await browser.post('/account/keys', { name: 'different' }, headers)).body.param,
      'Idempotency-Key',
    );
    const stranger = await openSignedIn(server, 'other-clicker@example.com');
    const theirs = await stranger.post('/account/keys', { name: 'clicked' }, headers);
    assert.notEqual(theirs.body.secret, one.body.secret);
  });

  it('of 40 creations at once 20 succeed, and rotation works at the limit', async () => {
    const full = await openSignedIn(server, 'full@example.com');
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => full.post('/account/keys', { name: 'k' })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 20);
    const refused = answers.find(({ status }) => status !== 201);
    assert.equal(refused?.status, 400);
    assert.match(refused?.body.message, /20 keys/);
    const plan = (await full.get('/account/plan')).body;
    assert.deepEqual(plan, {
      plan: 'free',
      limit_per_minute: 60,
      monthly_quota: null,
      shares: FREE_SHARES,
      plans: [
        { name: 'free', limit_per_minute: 60, monthly_quota: null, shares: FREE_SHARES },
        { name: 'pro', limit_per_minute: 600, monthly_quota: null, shares: PRO_SHARES },
      ],
      keys_used: 20,
      keys_limit: 20,
    });
    const id = answers.find(({ status }) => status === 201)?.body.key.id;
    const rotation = await full.post(`/account/keys/${id}/rotate`, { grace_days: 1 });
    assert.equal(rotation.status, 201);
    assert.equal(rotation.body.old.status, 'revoked', 'all other keys are in use: there is no grace period');
    assert.deepEqual(rotation.body.ended, []);
    assert.equal((await full.get('/account/plan')).body.keys_used, 20);
  });

  it('keys in a grace period are among the 20; a rotation at the limit says whose grace period it ended', async () => {
    const crowded = await openSignedIn(server, 'crowded@example.com', '203.0.113.77');
    const made: { key: { id: string }; secret: string }[] = [];
    for (let n = 0; n < 19; n++) made.push((await crowded.post('/account/keys', { name: `k${n}` })).body);
    const rotate = (n: number) => crowded.post(`/account/keys/${made[n]?.key.id}/rotate`, { grace_days: 7 });
    assert.deepEqual((await rotate(0)).body.ended, []);
    assert.equal((await crowded.get('/account/plan')).body.keys_used, 20);
    assert.equal((await crowded.post('/account/keys', { name: 'one more' })).status, 400);
    assert.equal((await call(made[0]!.secret)).statusCode, 200);
    const second = (await rotate(1)).body;
    assert.deepEqual(
      second.ended.map(({ name, status }: { name: string; status: string }) => [name, status]),
      [['k0', 'revoked']],
    );
    assert.equal(second.old.status, 'expiring');
    assert.equal((await call(made[0]!.secret)).statusCode, 401, 'from the next request on');
    assert.equal((await call(made[1]!.secret)).statusCode, 200);
    const readEnds = async () =>
      (await crowded.get('/account/audit')).body.events.filter(
        ({ event }: { event: string }) => event === 'key.grace_ended',
      );
    let ends = await readEnds();
    while (ends.length === 0) ends = await readEnds();
    assert.equal(ends[0].detail, `k0 (${made[0]!.secret.slice(0, 12)}…${made[0]!.secret.slice(-4)})`);
  });

  it('a revoked key is refused from the next request on', async () => {
    const { key, secret } = (await browser.post('/account/keys', { name: 'short-lived' })).body;
    assert.equal((await call(secret)).statusCode, 200);
    assert.equal((await browser.delete(`/account/keys/${key.id}`)).status, 204);
    assert.equal((await call(secret)).statusCode, 401);
    assert.equal((await browser.delete(`/account/keys/${key.id}`)).status, 204, 'again is no fault');
    const revoked = (await browser.get('/account/keys')).body.keys.find(
      ({ id }: { id: string }) => id === key.id,
    );
    assert.equal(revoked.status, 'revoked');
    assert.equal((await browser.post(`/account/keys/${key.id}/rotate`, { grace_days: 0 })).status, 400);
  });

  it('an expired key is refused', async () => {
    const { secret } = (
      await browser.post('/account/keys', {
        name: 'expiring',
        expires_at: new Date(Date.now() + DAY_MS).toISOString(),
      })
    ).body;
    assert.equal((await call(secret)).statusCode, 200);
    server.clock.shiftMs = DAY_MS + 1_000;
    const late = await call(secret);
    server.clock.shiftMs = 0;
    assert.equal(late.statusCode, 401);
  });

  it('a rotated key works through its grace period and shares the limit', async () => {
    const { key, secret } = (await browser.post('/account/keys', { name: 'rotating' })).body;
    const rotation = await browser.post(`/account/keys/${key.id}/rotate`, { grace_days: 3 });
    assert.equal(rotation.status, 201);
    assert.equal(rotation.body.old.rotated_to, rotation.body.key.id);
    assert.equal(rotation.body.old.status, 'expiring');
    assert.equal(rotation.body.key.name, 'rotating');
    const [old, fresh] = [await call(secret), await call(rotation.body.secret)];
    assert.equal(old.statusCode, 200);
    assert.equal(
      Number(old.headers['x-ratelimit-remaining']) - 1,
      Number(fresh.headers['x-ratelimit-remaining']),
    );
    server.clock.shiftMs = 3 * DAY_MS + 1_000;
    const late = [await call(secret), await call(rotation.body.secret)];
    server.clock.shiftMs = 0;
    assert.deepEqual(
      late.map(({ statusCode }) => statusCode),
      [401, 200],
    );
    assert.equal(
      (await browser.post(`/account/keys/${key.id}/rotate`, { grace_days: 3 })).status,
      400,
      'once only',
    );
  });

  it('without a grace period the old key ends at once', async () => {
    const { key, secret } = (await browser.post('/account/keys', { name: 'leaked' })).body;
    const rotation = await browser.post(`/account/keys/${key.id}/rotate`, { grace_days: 0 });
    assert.equal(rotation.body.old.status, 'revoked');
    assert.equal((await call(secret)).statusCode, 401);
    assert.equal((await call(rotation.body.secret)).statusCode, 200);
    for (const grace_days of [-1, 8, 1.5, '3', null])
      assert.equal(
        (await browser.post(`/account/keys/${rotation.body.key.id}/rotate`, { grace_days })).body.param,
        'grace_days',
      );
  });

  it('a key can be restricted to operations and to client addresses', async () => {
    const { key, secret } = (
      await browser.post('/account/keys', {
        name: 'held',
        operations: ['getMetadata'],
        client_cidrs: ['203.0.113.0/24', '2001:db8::1'],
      })
    ).body;
    assert.deepEqual(key.operations, ['getMetadata']);
    assert.deepEqual(key.client_cidrs, ['203.0.113.0/24', '2001:db8::1/128']);
    assert.equal((await call(secret)).statusCode, 401, 'another operation');
    const changed = await browser.patch(`/account/keys/${key.id}`, { operations: null, name: 'freed' });
    assert.equal(changed.body.key.operations, null);
    assert.equal(changed.body.key.name, 'freed');
    assert.equal((await call(secret, '203.0.113.9')).statusCode, 200);
    assert.equal((await call(secret, '::ffff:203.0.113.9')).statusCode, 200);
    assert.equal((await call(secret, '2001:db8::1')).statusCode, 200);
    assert.equal((await call(secret, '198.51.100.1')).statusCode, 401, 'another address');
  });

  it('trying an operation from the dashboard forwards its response and counts', async () => {
    const { key } = (await browser.post('/account/keys', { name: 'tried', client_cidrs: ['192.0.2.1'] }))
      .body;
    const email = await browser.post(`/account/try/validateEmail?key_id=${key.id}`, {
      email: 'a+b&c@example.com',
      check_mx: false,
    });
    assert.equal(email.status, 200);
    assert.equal(email.body.email, 'a+b&c@example.com');
    assert.equal(email.headers['x-ratelimit-limit'], '60');
    assert.equal(email.headers['x-ratelimit-remaining'], '59');
    assert.match(String(email.headers['x-request-id']), /^[\w-]{12,36}$/);
    const pdf = await browser.post(`/account/try/generatePdf?key_id=${key.id}`, { html: '<p>x' });
    assert.equal(pdf.headers['content-type'], 'application/pdf');
    assert.equal(pdf.headers['x-pdf-pages'], '3');
    assert.equal(pdf.text, '%PDF-1.7 test');
    assert.equal(pdf.headers['x-ratelimit-remaining'], '58');
    const refused = await browser.post(`/account/try/validateEmail?key_id=${key.id}`);
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error, 'invalid_email');
    const stranger = await openSignedIn(server, 'stranger@example.com');
    assert.equal(
      (await stranger.post(`/account/try/validateEmail?key_id=${key.id}`, { email: 'x@y.z' })).status,
      404,
    );
    assert.equal((await browser.post(`/account/try/revokeEverything?key_id=${key.id}`)).status, 404);
    await browser.delete(`/account/keys/${key.id}`);
    assert.equal(
      (await browser.post(`/account/try/validateEmail?key_id=${key.id}`, { email: 'x@y.z' })).body.param,
      'key_id',
    );
  });

  it('a ticket works once, for ten seconds', async () => {
    const { key } = (await browser.post('/account/keys', { name: 'ticket' })).body;
    const once = (await server.keys.issueTicket(key.id)) ?? '';
    assert.equal((await call(once)).statusCode, 200);
    assert.equal((await call(once)).statusCode, 401);
    const late = (await server.keys.issueTicket(key.id)) ?? '';
    server.clock.shiftMs = 10_001;
    const answer = await call(late);
    server.clock.shiftMs = 0;
    assert.equal(answer.statusCode, 401);
  });
});

describe('usage as the dashboard reads it', () => {
  let server: AccountServer;
  let browser: Browser;
  before(async () => {
    server = await startAccountServer();
    browser = await openSignedIn(server, 'usage@example.com');
  });
  after(() => server.close());

  it('an account without calls reads zeros', async () => {
    const { body } = await browser.get('/account/overview');
    assert.deepEqual(body.today, {
      requests: 0,
      errors: 0,
      client_errors: 0,
      server_errors: 0,
      p50_ms: null,
      p95_ms: null,
    });
    const { limit, used_max_key: used, key } = body.minute;
    assert.deepEqual([limit, used, key], [60, 0, null]);
    assert.equal(body.by_hour.length, 24);
    assert.deepEqual(body.keys, { active: 0, top: [] });
    assert.equal(body.first_key, null);
  });

  it('calls appear in the overview, in the usage, in the CSV, in the log and at the key', async () => {
    // Within one clock minute, whatever the time is now.
    server.clock.shiftMs = 60_000 - (Date.now() % 60_000);
    const { key, secret } = (await browser.post('/account/keys', { name: 'counted' })).body;
    const call = (path: string) => server.app.inject({ url: path, headers: { 'x-api-key': secret } });
    for (let n = 0; n < 5; n++) await call('/v1/email/validate?email=a@example.com');
    await call('/v1/email/validate');
    await call('/v1/meta?url=https://example.com');
    await server.recorder.flush();
    const overview = (await browser.get('/account/overview')).body;
    assert.equal(overview.today.requests, 7);
    assert.equal(overview.today.errors, 2);
    assert.equal(typeof overview.today.p95_ms, 'number');
    assert.equal(overview.minute.used_max_key, 7);
    assert.equal(overview.by_hour.at(-1).requests, 7);
    assert.equal(overview.first_key.id, key.id);
    for (const bucket of ['minute', 'hour', 'day']) {
      const { body } = await browser.get(`/account/usage?bucket=${bucket}&key_id=${key.id}`);
      assert.deepEqual(body.totals, { requests: 7, errors: 2 }, bucket);
      const rows = body.rows.map((row: Record<string, unknown>) => [
        row['operation'],
        row['status_class'],
        row['count'],
      ]);
      assert.deepEqual(
        rows.toSorted(),
        [
          ['getMetadata', '5xx', 1],
          ['validateEmail', '2xx', 5],
          ['validateEmail', '4xx', 1],
        ],
        bucket,
      );
    }
    const csv = await browser.get('/account/usage.csv?bucket=day');
    assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(
      String(csv.headers['content-disposition']),
      /^attachment; filename="usage-\d{4}-\d\d-\d\d\.csv"$/,
    );
    assert.match(csv.text, /^start,operation,status_class,count\r\n/);
    assert.equal(csv.text.trim().split('\r\n').length, 4);
    const byKey = (await browser.get('/account/usage?bucket=day&by=key')).body;
    assert.deepEqual(byKey.totals, { requests: 7, errors: 2 });
    const keyRows = byKey.rows.map((row: Record<string, unknown>) => [
      row['key_id'],
      row['status_class'],
      row['count'],
    ]);
    assert.deepEqual(keyRows.toSorted(), [
      [key.id, '2xx', 5],
      [key.id, '4xx', 1],
      [key.id, '5xx', 1],
    ]);
    const csvByKey = await browser.get('/account/usage.csv?bucket=day&by=key');
    assert.match(csvByKey.text, new RegExp(`Z,${key.id},counted,2xx,5\\r\\n`));
    const log = (await browser.get('/account/requests?limit=3')).body;
    assert.equal(log.requests.length, 3);
    assert.equal(log.requests[0].operation, 'getMetadata');
    assert.equal(log.requests[0].key_name, 'counted');
    const rest = (await browser.get(`/account/requests?before=${log.next}`)).body;
    assert.equal(rest.requests.length, 4);
    assert.equal(rest.next, null);
    assert.equal((await browser.get('/account/requests?status_class=4xx')).body.requests.length, 1);
    assert.equal(
      (await browser.get('/account/requests?operation=validateEmail&status_class=2xx')).body.requests.length,
      5,
    );
    const newest = log.requests[0].id;
    assert.equal((await browser.get(`/account/requests?after=${newest}`)).body.requests.length, 0);
    await call('/v1/email/validate?email=b@example.com');
    await server.recorder.flush();
    assert.equal((await browser.get(`/account/requests?after=${newest}`)).body.requests.length, 1);
    assert.ok((await browser.get('/account/keys')).body.keys[0].last_used_at);
    server.clock.shiftMs = 0;
  });

  it('a request over the limit counts as an error and not against the limit', async () => {
    const limited = await openSignedIn(server, 'limited@example.com');
    const { secret } = (await limited.post('/account/keys', { name: 'busy' })).body;
    // Within one clock minute, whatever the time is now.
    server.clock.shiftMs = 60_000 - (Date.now() % 60_000);
    for (let n = 0; n < 65; n++)
      await server.app.inject({
        url: '/v1/email/validate?email=a@example.com',
        headers: { 'x-api-key': secret },
      });
    await server.recorder.flush();
    const { today, minute } = (await limited.get('/account/overview')).body;
    server.clock.shiftMs = 0;
    assert.deepEqual([today.requests, today.errors, minute.used_max_key], [65, 5, 60]);
  });

  it('a batch uses as much of the limit as it has addresses', async () => {
    const limited = await openSignedIn(server, 'batches@example.com');
    const { secret } = (await limited.post('/account/keys', { name: 'batches' })).body;
    server.clock.shiftMs = 60_000 - (Date.now() % 60_000);
    await server.app.inject({
      method: 'POST',
      url: '/v1/email/validate/batch',
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      payload: { emails: ['a@example.com', 'b@example.com', 'c@example.com'] },
    });
    const { minute } = (await limited.get('/account/overview')).body;
    server.clock.shiftMs = 0;
    assert.deepEqual([minute.limit, minute.used_max_key, minute.key.name], [60, 3, 'batches']);
  });

  for (const query of [
    'bucket=week',
    'from=yesterday',
    'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    'bucket=minute&from=2020-01-01T00:00:00Z',
    'by=account',
    'by=key&bucket=minute',
    'nothing=1',
    'bucket=day&bucket=hour',
  ])
    it(`400: /account/usage?${query}`, async () => {
      assert.equal((await browser.get(`/account/usage?${query}`)).status, 400);
    });

  it('the audit log lists events, newest first', async () => {
    const audited = await openSignedIn(server, 'audited@example.com');
    const { key } = (await audited.post('/account/keys', { name: 'traced' })).body;
    await audited.post(`/account/keys/${key.id}/rotate`, { grace_days: 0 });
    await openBrowser(server, '192.0.2.9').post('/account/sign-in', {
      email: 'audited@example.com',
      password: 'wrong wrong',
    });
    await audited.post('/account/password', {
      current_password: 'correct horse battery',
      new_password: 'another fine secret',
    });
    const read = async () => (await audited.get('/account/audit')).body.events;
    let events = await read();
    while (events.length < 6) events = await read();
    assert.deepEqual(
      events.map(({ event, detail }: { event: string; detail: string }) => [event, detail]),
      [
        ['password.changed', ''],
        ['sign_in.failed', 'Test Browser'],
        ['key.rotated', 'traced'],
        ['key.created', 'traced'],
        ['sign_in', 'Test Browser'],
        ['account.created', ''],
      ],
    );
  });
});
