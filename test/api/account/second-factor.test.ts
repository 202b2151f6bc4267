import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '#cli';
import { computeTotp } from '../../support/totp.ts';
import {
  openBrowser,
  openSignedIn,
  PASSWORD,
  startAccountServer,
  type AccountServer,
  type Browser,
} from '../account-server.ts';

let server: AccountServer;
before(async () => {
  server = await startAccountServer();
});
after(() => server.close());

let addresses = 1;
/** Opens a browser at an address of its own, so that no throttle of another test delays it. */
const openElsewhere = (): Browser => openBrowser(server, `198.51.100.${addresses++}`);

/** Moves the time to codes that were not used. */
const skipCodes = (): void => {
  server.clock.shiftMs += 120_000;
};
const codeAt = (secret: string): string => computeTotp(secret, server.now());

interface Enrolled {
  browser: Browser;
  email: string;
  secret: string;
  codes: string[];
}

/** Signs up and turns the second factor on. */
async function openEnrolled(email: string): Promise<Enrolled> {
  const browser = await openSignedIn(server, email, `198.51.100.${addresses++}`);
  const enrolled = await browser.post('/account/second-factor', { password: PASSWORD });
  assert.equal(enrolled.status, 201, enrolled.text);
  const { secret, recovery_codes: codes } = enrolled.body;
  const confirmed = await browser.post('/account/second-factor/confirm', { code: codeAt(secret) });
  assert.equal(confirmed.status, 204, confirmed.text);
  return { browser, email, secret, codes };
}

/** Does the first step of a sign-in. */
async function openPending(email: string, browser = openElsewhere()): Promise<Browser> {
  const { status, body } = await browser.post('/account/sign-in', { email, password: PASSWORD });
  assert.deepEqual([status, body], [200, { account: null, second_factor_needed: true }]);
  return browser;
}

const finish = (browser: Browser, code: string) => browser.post('/account/sign-in/second-factor', { code });
const listEvents = async (browser: Browser): Promise<string[]> =>
  (await browser.get('/account/audit')).body.events.map(({ event }: { event: string }) => event);

describe('the second factor', () => {
  it('is shown once as a secret, a URI of an app and ten recovery codes, and has no effect until it is confirmed', async () => {
    const browser = await openSignedIn(server, 'enroll@example.com');
    assert.deepEqual(
      (await browser.post('/account/second-factor', { password: 'wrong password' })).body.param,
      'password',
    );
    assert.equal((await browser.post('/account/second-factor', {})).body.param, 'password');
    assert.equal((await browser.post('/account/second-factor/confirm', { code: '123456' })).status, 400);
    const { body } = await browser.post('/account/second-factor', { password: PASSWORD });
    const uri = new URL(body.uri);
    assert.equal(uri.protocol, 'otpauth:');
    assert.equal(decodeURIComponent(uri.pathname), '/Utility API:enroll@example.com');
    assert.deepEqual(
      [uri.searchParams.get('secret'), uri.searchParams.get('issuer')],
      [body.secret, 'Utility API'],
    );
    assert.equal(new Set(body.recovery_codes).size, 10);
    for (const code of body.recovery_codes)
      assert.match(code, /^([2-9a-hjkmnp-z]{4}-){3}[2-9a-hjkmnp-z]{4}$/);
    assert.equal(
      (await openElsewhere().post('/account/sign-in', { email: 'enroll@example.com', password: PASSWORD }))
        .body.second_factor_needed,
      false,
    );
    const methods = (await browser.get('/account/sign-in-methods')).body;
    assert.deepEqual(methods, { password: true, second_factor: null, identity_linked_at: null });
    assert.equal(
      (await browser.post('/account/second-factor/confirm', { code: body.recovery_codes[0] })).status,
      400,
    );
  });

  it('is turned on by a code: other sessions end, this one stays, and the owner gets a mail', async () => {
    const other = await openSignedIn(server, 'on@example.com');
    const { browser } = await openEnrolledFrom('on@example.com');
    assert.equal((await other.get('/account/sessions')).status, 401);
    assert.equal((await browser.get('/account/sessions')).body.sessions.length, 1);
    assert.equal((await browser.get('/account/session')).body.second_factor, true);
    assert.deepEqual((await browser.get('/account/sign-in-methods')).body.second_factor, {
      recovery_codes_left: 10,
    });
    assert.ok((await listEvents(browser)).includes('second_factor.enabled'));
    assert.ok(
      server.mails.some(({ to, subject }) => to === 'on@example.com' && subject === 'Two-step sign-in is on'),
    );
    assert.equal((await browser.post('/account/second-factor', { password: PASSWORD })).status, 400);
  });

  async function openEnrolledFrom(email: string): Promise<{ browser: Browser; secret: string }> {
    const browser = openElsewhere();
    await browser.post('/account/sign-in', { email, password: PASSWORD });
    const { secret } = (await browser.post('/account/second-factor', { password: PASSWORD })).body;
    await browser.post('/account/second-factor/confirm', { code: codeAt(secret) });
    return { browser, secret };
  }

  it('the password alone gives no session, and a code finishes the sign-in', async () => {
    const { email, secret } = await openEnrolled('two-steps@example.com');
    skipCodes();
    const browser = await openPending(email);
    assert.equal(browser.cookies.has('utility-api-session'), false);
    assert.equal((await browser.get('/account/keys')).status, 401);
    assert.equal((await browser.get('/account/session')).body.account, null);
    const finished = await finish(browser, codeAt(secret));
    assert.equal(finished.body.account.email, email);
    assert.equal((await browser.get('/account/keys')).status, 200);
    assert.equal((await listEvents(browser))[0], 'sign_in');
  });

  it('a code works once: not in a second sign-in, and not after it confirmed the factor', async () => {
    const { email, secret } = await openEnrolled('replay@example.com');
    assert.equal(
      (await finish(await openPending(email), codeAt(secret))).status,
      401,
      'the code of the set-up',
    );
    skipCodes();
    const [one, two] = [await openPending(email), await openPending(email)];
    const code = codeAt(secret);
    const statuses = await Promise.all([finish(one, code), finish(two, code)]);
    const refused = statuses.filter(({ status }) => status === 401);
    assert.deepEqual([statuses.length, refused.length], [2, 1]);
    assert.equal((await finish(await openPending(email), code)).status, 401);
    const account = await server.storage.accounts.findAccountByEmail(email);
    assert.equal((await server.storage.access.listSessions(account?.id ?? '', 0, 0)).length, 2);
  });

  it('a recovery code works once, is counted, and its use is mailed', async () => {
    const { email, codes } = await openEnrolled('recovery@example.com');
    const [code = ''] = codes;
    const browser = await openPending(email);
    assert.equal((await finish(browser, ` ${code.toUpperCase().replaceAll('-', ' ')}`)).status, 200);
    assert.equal((await finish(await openPending(email), code)).status, 401);
    const { second_factor: left } = (await browser.get('/account/sign-in-methods')).body;
    assert.deepEqual(left, { recovery_codes_left: 9 });
    assert.ok((await listEvents(browser)).includes('second_factor.recovery_code_used'));
    assert.ok(server.mails.some(({ to, text }) => to === email && text.includes('Codes left: 9')));
  });

  it('recovery codes are replaced by a proof: the old ones stop working', async () => {
    const { browser, email, codes } = await openEnrolled('replace@example.com');
    assert.equal((await browser.post('/account/second-factor/recovery-codes', {})).status, 400);
    const { recovery_codes: fresh } = (
      await browser.post('/account/second-factor/recovery-codes', { password: PASSWORD })
    ).body;
    assert.equal((await finish(await openPending(email), codes[1] ?? '')).status, 401);
    assert.equal((await finish(await openPending(email), fresh[1])).status, 200);
  });

  it('is turned off by the password or a code, not without a proof', async () => {
    const { browser, email, secret } = await openEnrolled('off@example.com');
    assert.equal((await browser.delete('/account/second-factor', {})).status, 400);
    assert.equal(
      (await browser.delete('/account/second-factor', { password: 'wrong password' })).body.param,
      'password',
    );
    assert.equal((await browser.delete('/account/second-factor', { code: '000000' })).body.param, 'code');
    skipCodes();
    assert.equal((await browser.delete('/account/second-factor', { code: codeAt(secret) })).status, 204);
    assert.equal(
      (await openElsewhere().post('/account/sign-in', { email, password: PASSWORD })).body
        .second_factor_needed,
      false,
    );
    assert.ok(server.mails.some(({ to, subject }) => to === email && subject === 'Two-step sign-in is off'));
    assert.equal((await browser.delete('/account/second-factor', { password: PASSWORD })).status, 400);
  });

  it('a password reset and a change of the password keep it, and end sign-ins in progress', async () => {
    const { browser, email, secret } = await openEnrolled('keep@example.com');
    skipCodes();
    const waiting = await openPending(email);
    const changed = await browser.post('/account/password', {
      current_password: PASSWORD,
      new_password: 'another fine secret',
    });
    assert.equal(changed.status, 204, changed.text);
    assert.equal((await browser.get('/account/session')).body.account.email, email, 'this session goes on');
    assert.equal((await finish(waiting, codeAt(secret))).status, 401);
    const elsewhere = openElsewhere();
    const again = await elsewhere.post('/account/sign-in', { email, password: 'another fine secret' });
    assert.equal(again.body.second_factor_needed, true);
    assert.equal((await finish(elsewhere, codeAt(secret))).status, 200);
  });

  it('a disabled account is refused in the second step', async () => {
    const { email, secret } = await openEnrolled('disabled@example.com');
    skipCodes();
    const browser = await openPending(email);
    const account = await server.storage.accounts.findAccountByEmail(email);
    await server.storage.accounts.updateAccount(account?.id ?? '', { disabled: true }, server.now());
    assert.equal((await finish(browser, codeAt(secret))).status, 401);
    assert.equal((await openElsewhere().post('/account/sign-in', { email, password: PASSWORD })).status, 401);
  });

  it('a session of another account does not take part in the second step', async () => {
    const { email, secret } = await openEnrolled('mine@example.com');
    const { browser: stranger } = await openEnrolled('stranger@example.com');
    skipCodes();
    await openPending(email, stranger);
    assert.equal((await finish(stranger, codeAt(secret))).body.account.email, email);
    assert.equal((await stranger.get('/account/session')).body.account.email, email);
  });

  it('a sign-in expires after 10 minutes, and without its cookie there is none', async () => {
    const { email, secret } = await openEnrolled('late@example.com');
    const browser = await openPending(email);
    server.clock.shiftMs += 11 * 60_000;
    assert.equal((await finish(browser, codeAt(secret))).status, 401);
    assert.equal((await finish(openElsewhere(), codeAt(secret))).status, 401);
  });
});

it('accounts reset-second-factor turns it off, signs out all devices and mails the owner', async () => {
  const { browser, email } = await openEnrolled('operator@example.com');
  const waiting = await openPending(email);
  const { storage, access, now } = server;
  const context = {
    ...storage,
    plans: access.plans,
    dataDir: '',
    origin: 'http://service.localhost',
    readReadiness: async () => null,
    copyDatabase: null,
    now,
  };
  const run = (sendMail: typeof access.sendMail | null) =>
    runCli(
      ['accounts', 'reset-second-factor', email],
      async () => ({ ...context, sendMail }),
      () => assert.fail(),
    );
  const { stdout, stderr, exitCode } = await run(access.sendMail);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.match(stdout, /^The second factor of operator@example\.com is off/);
  assert.equal((await browser.get('/account/sessions')).status, 401);
  assert.equal((await finish(waiting, '123456')).status, 401);
  const mail = server.mails.find(({ subject }) => subject === 'Two-step sign-in was reset');
  assert.equal(mail?.to, email);
  const again = openElsewhere();
  await again.post('/account/sign-in', { email, password: PASSWORD });
  assert.equal((await again.get('/account/session')).body.second_factor, false);
  assert.ok((await listEvents(again)).includes('second_factor.reset'));
  assert.equal((await run(null)).exitCode, 1, 'it has none any more');
});

describe('guesses at the second factor', () => {
  it('are throttled for the account from all addresses, and the right password does not reset that', async () => {
    const { email, secret } = await openEnrolled('guess@example.com');
    skipCodes();
    // Failures expire: the attempts are at one time, however long the machine takes.
    server.clock.stoppedMs = server.now() - server.clock.shiftMs;
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      const answer = await finish(await openPending(email), '000000');
      statuses.push(answer.status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assert.equal((await finish(await openPending(email), codeAt(secret))).status, 429);
    server.clock.shiftMs += 60_000;
    assert.equal((await finish(await openPending(email), codeAt(secret))).status, 200);
    server.clock.stoppedMs = null;
  });

  it('end the sign-in after five wrong codes, and lock the factor after ten for 15 minutes', async () => {
    const { email, secret } = await openEnrolled('lock@example.com');
    skipCodes();
    const browser = openElsewhere();
    const tryAgain = async (): Promise<number> => {
      server.clock.shiftMs += 120_000;
      return (await finish(browser, '000000')).status;
    };
    await openPending(email, browser);
    for (let n = 0; n < 4; n++) assert.equal(await tryAgain(), 401);
    for (let n = 0; n < 8; n++) {
      await openPending(email, browser);
      assert.ok([401, 429].includes(await tryAgain()));
    }
    await openPending(email, browser);
    const locked = await finish(browser, codeAt(secret));
    assert.equal(locked.status, 429);
    server.clock.shiftMs += 16 * 60_000;
    await openPending(email, browser);
    assert.equal((await finish(browser, codeAt(secret))).status, 200);
  });
});

it('the database holds no secret of a second factor, no recovery code and no used code', async () => {
  const { secret, codes, email } = await openEnrolled('at-rest@example.com');
  skipCodes();
  const code = codeAt(secret);
  await finish(await openPending(email), code);
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(`${server.dataDir}/utility-api.db`, { readOnly: true });
  const text = ['second_factors', 'used_codes', 'verifications']
    .map((table) => JSON.stringify(db.prepare(`select * from ${table}`).all()))
    .join();
  db.close();
  assert.ok(text.includes('sha256:'));
  for (const plain of [secret, code, ...codes, ...codes.map((one) => one.replaceAll('-', ''))])
    assert.ok(!text.includes(plain), plain);
});
