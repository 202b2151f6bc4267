import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { startOidcServer, type OidcServer, type Person } from '../../support/oidc-server.ts';
import { computeTotp } from '../../support/totp.ts';
import {
  openBrowser,
  openSignedIn,
  PASSWORD,
  startAccountServer,
  type AccountServer,
  type Answer,
  type Browser,
} from '../account-server.ts';
import { scaledMs } from '../../support/patience.ts';

const ORIGIN = 'http://service.localhost';
const NAVIGATION = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

let provider: OidcServer;
let server: AccountServer;
before(async () => {
  provider = await startOidcServer(`${ORIGIN}/account/oidc/callback`);
  const { issuer, clientId, clientSecret } = provider;
  server = await startAccountServer({ oidc: { issuer, clientId, clientSecret, name: 'Example ID' } });
});
after(async () => {
  await server.close();
  await provider.close();
});
afterEach(() => {
  provider.tamper = null;
});

let addresses = 1;
const openElsewhere = (of = server): Browser => openBrowser(of, `198.51.100.${addresses++}`);
const createPerson = (email: string, changes: Partial<Person> = {}): Person => ({
  sub: `sub of ${email}`,
  email,
  email_verified: true,
  ...changes,
});

/** Opens the provider from the sign-in page. Returns the callback that the provider answers with. */
async function openProvider(browser: Browser, person: Person, body: object = {}): Promise<URL> {
  const started = await browser.post('/account/oidc/start', body);
  assert.equal(started.status, 200, started.text);
  return provider.signIn(started.body.url, person);
}

const openCallback = (browser: Browser, { pathname, search }: URL): Promise<Answer> =>
  browser.get(pathname + search, NAVIGATION);

/** Signs in by the provider. Returns the page that the browser is sent to. */
async function signIn(browser: Browser, person: Person, body?: object): Promise<string> {
  const answer = await openCallback(browser, await openProvider(browser, person, body));
  assert.equal(answer.status, 303, answer.text);
  return String(answer.headers.location);
}

const getEmail = async (browser: Browser): Promise<string | undefined> =>
  (await browser.get('/account/session')).body.account?.email;
const verify = async (email: string): Promise<void> => {
  const account = await server.storage.accounts.findAccountByEmail(email);
  await server.storage.accounts.updateAccount(account?.id ?? '', { emailVerified: true }, server.now());
};

/** Returns the newest event of this name in the audit trail of the signed-in account. */
async function findEvent(browser: Browser, name: string) {
  interface Event {
    event: string;
    detail: string;
    ip: string | null;
    request_id: string | null;
  }
  const { events } = (await browser.get('/account/audit')).body as { events: Event[] };
  return events.find(({ event }) => event === name);
}

describe('sign-in by the provider', () => {
  it('is offered with its name, and starts with state, nonce, PKCE and the callback of this service', async () => {
    const browser = openElsewhere();
    assert.deepEqual((await browser.get('/account/session')).body.oidc, { name: 'Example ID' });
    const { body } = await browser.post('/account/oidc/start');
    const url = new URL(body.url);
    const get = (name: string): string => url.searchParams.get(name) ?? '';
    assert.equal(url.origin, provider.issuer);
    assert.equal(get('redirect_uri'), `${ORIGIN}/account/oidc/callback`);
    assert.equal(get('code_challenge_method'), 'S256');
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(get(name).length >= 32, name);
    assert.deepEqual(
      get('scope')
        .split(' ')
        .toSorted((a, b) => (a < b ? -1 : 1)),
      ['email', 'openid'],
    );
  });

  it('creates an account with a verified address and without a password, and signs in to it again', async () => {
    const person = createPerson('new@example.com');
    const browser = openElsewhere();
    assert.equal(await signIn(browser, person), '/');
    const { account } = (await browser.get('/account/session')).body;
    assert.deepEqual(
      [account.email, account.email_verified, account.plan, account.admin],
      ['new@example.com', true, 'free', false],
    );
    assert.match(account.id, /^acc_/);
    const methods = (await browser.get('/account/sign-in-methods')).body;
    assert.deepEqual([methods.password, methods.second_factor], [false, null]);
    assert.match(methods.identity_linked_at, /^20/);
    const again = openElsewhere();
    assert.equal(
      await signIn(again, { ...person, email: 'renamed@example.com', email_verified: false }),
      '/',
    );
    assert.equal(await getEmail(again), 'new@example.com', 'the subject decides, not the address');
    const created = await findEvent(browser, 'account.created');
    assert.deepEqual([created?.detail, created?.ip], ['by the identity provider', browser.address]);
    assert.equal((await findEvent(browser, 'identity.linked'))?.ip, browser.address);
    assert.ok(
      server.mails.some(
        ({ to, subject }) => to === 'new@example.com' && subject === 'Sign-in with Example ID is on',
      ),
    );
  });

  it('links an account whose address both sides have verified, and keeps its password', async () => {
    const browser = await openSignedIn(server, 'both@example.com', '198.51.100.200');
    await verify('both@example.com');
    const elsewhere = openElsewhere();
    assert.equal(await signIn(elsewhere, createPerson('Both@Example.com')), '/');
    assert.equal(await getEmail(elsewhere), 'both@example.com');
    assert.equal((await browser.get('/account/sign-in-methods')).body.password, true);
    const linked = await findEvent(browser, 'identity.linked');
    assert.deepEqual([linked?.detail, linked?.ip], ['Example ID', elsewhere.address]);
  });

  it('refuses to link an account whose address is not verified here, and says what to do', async () => {
    const browser = await openSignedIn(server, 'squatted@example.com', '198.51.100.201');
    const elsewhere = openElsewhere();
    assert.equal(
      await signIn(elsewhere, createPerson('squatted@example.com')),
      '/sign-in?refused=account_unverified',
    );
    assert.equal(await getEmail(elsewhere), undefined);
    const { body } = await elsewhere.get('/account/oidc/refusals/account_unverified');
    assert.match(body.message, /set a new password/);
    assert.equal((await browser.get('/account/sign-in-methods')).body.identity_linked_at, null);
    assert.equal((await elsewhere.get('/account/oidc/refusals/constructor')).status, 404);
  });

  it('refuses an address that the provider has not verified, whether or not it has an account', async () => {
    await openSignedIn(server, 'victim@example.com', '198.51.100.202');
    await verify('victim@example.com');
    for (const email of ['victim@example.com', 'unknown@example.com'])
      assert.equal(
        await signIn(openElsewhere(), createPerson(email, { email_verified: false })),
        '/sign-in?refused=address_unverified',
      );
    assert.equal(await server.storage.accounts.findAccountByEmail('unknown@example.com'), null);
  });

  it('refuses a second identity with the address of an account that is linked to another', async () => {
    await signIn(openElsewhere(), createPerson('one@example.com'));
    const other = createPerson('one@example.com', { sub: 'someone else' });
    assert.equal(await signIn(openElsewhere(), other), '/sign-in?refused=other_identity');
  });

  it('refuses a disabled account, also one that is not linked', async () => {
    const person = createPerson('off@example.com');
    await signIn(openElsewhere(), person);
    const account = await server.storage.accounts.findAccountByEmail('off@example.com');
    await server.storage.accounts.updateAccount(account?.id ?? '', { disabled: true }, server.now());
    for (const one of [person, { ...person, sub: 'another' }])
      assert.equal(await signIn(openElsewhere(), one), '/sign-in?refused=account_disabled');
    assert.equal((await server.storage.access.listSessions(account?.id ?? '', 0, 0)).length, 1);
  });

  it('asks for the second factor too', async () => {
    const email = 'two@example.com';
    const owner = openElsewhere();
    await signIn(owner, createPerson(email));
    const { secret } = (await owner.post('/account/second-factor')).body;
    await owner.post('/account/second-factor/confirm', { code: computeTotp(secret, server.now()) });
    const browser = openElsewhere();
    server.clock.shiftMs += 120_000;
    assert.equal(await signIn(browser, createPerson(email)), '/sign-in?step=second-factor');
    assert.equal(await getEmail(browser), undefined);
    assert.equal(browser.cookies.has('utility-api-session'), false);
    const code = computeTotp(secret, server.now());
    assert.equal((await browser.post('/account/sign-in/second-factor', { code })).status, 200);
    assert.equal(await getEmail(browser), email);
  });

  it('stores no token of the provider', async () => {
    let seen: string[] = [];
    provider.tamper = (tokens) => {
      seen = Object.values(tokens).filter(
        (value) => typeof value === 'string' && value.length > 30,
      ) as string[];
    };
    await signIn(openElsewhere(), createPerson('tokens@example.com'));
    assert.equal(seen.length, 2);
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(`${server.dataDir}/utility-api.db`, { readOnly: true });
    const rows = JSON.stringify(
      ['credentials', 'verifications'].map((table) => db.prepare(`select * from ${table}`).all()),
    );
    db.close();
    assert.ok(rows.includes('sub of tokens@example.com'));
    for (const token of seen) assert.ok(!rows.includes(token));
  });
});

describe('a response of the provider', () => {
  const refused = async (browser: Browser, callback: URL): Promise<string> =>
    String((await openCallback(browser, callback)).headers.location);

  it('works in the browser that started, and once', async () => {
    const browser = openElsewhere();
    const callback = await openProvider(browser, createPerson('state@example.com'));
    assert.equal(await refused(openElsewhere(), callback), '/sign-in?refused=expired');
    const again = await openProvider(browser, createPerson('state@example.com'));
    assert.equal(await refused(browser, again), '/');
    assert.equal(await refused(browser, again), '/sign-in?refused=expired');
  });

  it('with a made-up or missing state, code, issuer or error is refused, and redirects nowhere else', async () => {
    const cases: [change: (url: URL) => void, refusal: string][] = [
      [({ searchParams }) => searchParams.set('state', 'made-up'), 'expired'],
      [({ searchParams }) => searchParams.delete('state'), 'expired'],
      [({ searchParams }) => searchParams.append('state', 'twice'), 'expired'],
      [({ searchParams }) => searchParams.set('code', 'made-up'), 'provider_failed'],
      [({ searchParams }) => searchParams.delete('code'), 'provider_failed'],
      [({ searchParams }) => searchParams.set('code', 'x'.repeat(5_000)), 'provider_failed'],
      [({ searchParams }) => searchParams.set('iss', 'https://evil.example'), 'provider_failed'],
      [({ searchParams }) => searchParams.set('error', 'access_denied'), 'canceled'],
      [({ searchParams }) => searchParams.set('error', 'https://evil.example/?x=<b>'), 'provider_failed'],
    ];
    for (const [change, refusal] of cases) {
      const browser = openElsewhere();
      const callback = await openProvider(browser, createPerson('forged@example.com'));
      change(callback);
      assert.equal(
        await refused(browser, callback),
        `/sign-in?refused=${refusal}`,
        callback.search.slice(0, 100),
      );
      assert.equal(await getEmail(browser), undefined);
    }
    assert.equal(await server.storage.accounts.findAccountByEmail('forged@example.com'), null);
  });

  it('with an id_token that is missing, changed, or of another sign-in is refused', async () => {
    let other = '';
    provider.tamper = (tokens) => {
      other = String(tokens['id_token']);
    };
    await signIn(openElsewhere(), createPerson('first@example.com'));
    const tampers: OidcServer['tamper'][] = [
      (tokens) => delete tokens['id_token'],
      (tokens) => {
        const [head, claims, signature] = String(tokens['id_token']).split('.');
        const changed = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as object;
        const text = Buffer.from(JSON.stringify({ ...changed, aud: 'utility-api', x: 1 })).toString(
          'base64url',
        );
        tokens['id_token'] = [head, text, signature].join('.');
      },
      (tokens) => {
        const [, claims] = String(tokens['id_token']).split('.');
        const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
        tokens['id_token'] = `${head}.${claims}.`;
      },
      (tokens) => {
        tokens['id_token'] = other;
      },
    ];
    for (const tamper of tampers) {
      const browser = openElsewhere();
      provider.tamper = tamper;
      assert.equal(
        await signIn(browser, createPerson('changed@example.com')),
        '/sign-in?refused=provider_failed',
      );
      assert.equal(await getEmail(browser), undefined);
    }
  });

  it('is accepted as a page that a browser opens, and by no script of another site', async () => {
    const browser = openElsewhere();
    const { pathname, search } = await openProvider(browser, createPerson('site@example.com'));
    const script = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    for (const headers of [
      script,
      { ...NAVIGATION, 'sec-fetch-dest': 'iframe' },
      { ...NAVIGATION, origin: 'https://evil.example' },
    ])
      assert.equal((await browser.get(pathname + search, headers)).status, 401);
    const elsewhere = await browser.get('/account/session', NAVIGATION);
    assert.equal(elsewhere.status, 401, 'all other routes refuse navigation from another site');
  });
});

describe('an account without a password', () => {
  it('sets one, deletes itself and enrolls a second factor within 10 minutes of a sign-in, not later', async () => {
    const person = createPerson('fresh@example.com');
    const browser = openElsewhere();
    await signIn(browser, person);
    server.clock.shiftMs += 11 * 60_000;
    const attempts = async (): Promise<Answer[]> => [
      await browser.delete('/account', {}),
      await browser.post('/account/second-factor'),
      await browser.post('/account/password', { new_password: 'another fine secret' }),
    ];
    for (const { status, body } of await attempts()) {
      assert.equal(status, 400);
      assert.match(body.message, /more than 10 minutes ago/);
    }
    await signIn(browser, person);
    assert.equal(
      (await browser.delete('/account/oidc', {})).body.param,
      'password',
      'it would lock itself out',
    );
    const set = await browser.post('/account/password', { new_password: 'another fine secret' });
    assert.equal(set.status, 204, set.text);
    assert.equal(await getEmail(browser), 'fresh@example.com');
    const credentials = { email: 'fresh@example.com', password: 'another fine secret' };
    assert.equal((await openElsewhere().post('/account/sign-in', credentials)).status, 200);
    assert.equal(
      (await browser.post('/account/password', { new_password: 'one more fine secret' })).status,
      400,
    );
    assert.equal((await browser.delete('/account', {})).status, 400, 'from now on it needs the password');
    assert.equal((await browser.delete('/account/oidc', { password: credentials.password })).status, 204);
    assert.equal((await browser.get('/account/sign-in-methods')).body.identity_linked_at, null);
  });

  it('deletes itself, and a later sign-in creates another account', async () => {
    const person = createPerson('gone@example.com');
    const browser = openElsewhere();
    await signIn(browser, person);
    const { id } = (await browser.get('/account/session')).body.account;
    assert.equal((await browser.delete('/account', {})).status, 204);
    await signIn(browser, person);
    assert.notEqual((await browser.get('/account/session')).body.account.id, id);
  });
});

describe('SIGNUPS', () => {
  const start = (signups: 'invite' | 'closed') => {
    const { issuer, clientId, clientSecret } = provider;
    return startAccountServer({ signups, oidc: { issuer, clientId, clientSecret, name: 'Example ID' } });
  };

  it('closed: people without an account are refused', async () => {
    const closed = await start('closed');
    assert.equal(
      await signIn(openElsewhere(closed), createPerson('a@example.com')),
      '/sign-in?refused=sign_up_closed',
    );
    assert.deepEqual(await closed.storage.accounts.listAccounts({ limit: 9, nowMs: 0 }), []);
    await closed.close();
  });

  it('invite: an invitation creates one account, for its address', async () => {
    const invited = await start('invite');
    const { createInvite } = await import('#accounts/sign-in');
    const { token: invite } = await createInvite(invited.access, 'a@example.com', 'operator');
    const browser = openElsewhere(invited);
    const needed = '/sign-in?refused=invitation_needed';
    assert.equal(await signIn(browser, createPerson('a@example.com')), needed);
    assert.equal(await signIn(browser, createPerson('b@example.com'), { invite }), needed);
    assert.equal(await signIn(browser, createPerson('a@example.com'), { invite }), '/');
    assert.equal(await signIn(openElsewhere(invited), createPerson('b@example.com'), { invite }), needed);
    assert.equal(await signIn(openElsewhere(invited), createPerson('a@example.com')), '/');
    await invited.close();
  });
});

describe('a provider', () => {
  it('that does not respond is reported in bounded time, and works again as soon as it responds', async () => {
    const { issuer, clientId, clientSecret } = provider;
    const oidc = { issuer, clientId, clientSecret, name: 'Example ID' };
    const service = await startAccountServer({ oidc, oidcTimeoutMs: scaledMs(500) });
    const browser = openElsewhere(service);
    provider.isHanging = true;
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post('/account/oidc/start')));
    for (const { status, body } of answers) {
      assert.equal(status, 503);
      assert.match(body.message, /^The provider does not respond/);
    }
    assert.equal(
      (await browser.post('/account/sign-up', { email: 'a@example.com', password: PASSWORD })).status,
      202,
    );
    provider.isHanging = false;
    const callback = await openProvider(browser, createPerson('slow@example.com'));
    provider.isHanging = true;
    const { headers } = await openCallback(browser, callback);
    assert.equal(headers.location, '/sign-in?refused=provider_unavailable');
    provider.isHanging = false;
    assert.equal(await signIn(browser, createPerson('slow@example.com')), '/');
    await service.close();
  });

  it('that does not respond leaves room in the queue for others than one address', async () => {
    const { issuer, clientId, clientSecret } = provider;
    const oidc = { issuer, clientId, clientSecret, name: 'Example ID' };
    const service = await startAccountServer({ oidc, oidcTimeoutMs: scaledMs(1_500) });
    const [greedy, other] = [openElsewhere(service), openElsewhere(service)];
    provider.isHanging = true;
    const ended: string[] = [];
    const start = (browser: Browser, name: string) =>
      browser.post('/account/oidc/start').then(() => void ended.push(name));
    // 16 calls run, 8 wait, and the others of this address are refused without a wait.
    const crowd = Array.from({ length: 100 }, () => start(greedy, 'greedy'));
    while (ended.length < 76) await new Promise(setImmediate);
    const one = start(other, 'other');
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    assert.equal(ended.length, 76);
    provider.isHanging = false;
    await Promise.all([...crowd, one]);
    await service.close();
  });

  it('that is down is reported, and the service starts and works without it', async () => {
    const oidc = { issuer: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'b', name: 'Down' };
    const service = await startAccountServer({ oidc });
    const { status, body, headers } = await openElsewhere(service).post('/account/oidc/start');
    assert.deepEqual([status, body.error, headers['retry-after']], [503, 'unavailable', '30']);
    await service.close();
  });

  it('that calls itself by another name than OIDC_ISSUER is refused, and the log says so', async () => {
    const { clientId, clientSecret } = provider;
    const oidc = { issuer: `${provider.issuer}/`, clientId, clientSecret, name: 'Other' };
    const service = await startAccountServer({ oidc });
    assert.equal((await openElsewhere(service).post('/account/oidc/start')).status, 503);
    assert.match(String(service.errors[0]), /OIDC_ISSUER is .* but the provider calls itself/);
    await service.close();
  });
});

it('without a provider the routes are not found', async () => {
  const plain = await startAccountServer();
  const browser = openElsewhere(plain);
  assert.equal((await browser.post('/account/oidc/start')).status, 404);
  assert.equal((await browser.get('/account/oidc/callback?code=a&state=b', NAVIGATION)).status, 404);
  assert.equal((await browser.get('/account/session')).body.oidc, null);
  await plain.close();
});
