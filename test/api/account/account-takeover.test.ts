/** A stranger signs up with another person's address: the rights of the owner of the address. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, createKey } from '#accounts';
import {
  openBrowser,
  openSignedIn,
  PASSWORD,
  startAccountServer,
  type AccountServer,
  type Browser,
} from '../account-server.ts';

const OWNERS_PASSWORD = 'chosen by the owner';

describe('an account that a stranger created with my address', () => {
  let server: AccountServer;
  before(async () => (server = await startAccountServer()));
  after(() => server.close());

  const call = async (secret: string): Promise<number> =>
    (
      await server.app.inject({
        url: '/v1/email/validate?email=a@example.com',
        headers: { 'x-api-key': secret },
      })
    ).statusCode;
  const makeKey = async (browser: Browser, name: string): Promise<{ key: { id: string }; secret: string }> =>
    (await browser.post('/account/keys', { name })).body;
  const findMail = async (email: string, subject: string): Promise<string> => {
    const find = () => server.mails.find((mail) => mail.to === email && mail.subject === subject)?.text;
    while (find() === undefined) await delay(1);
    return find()!;
  };
  let people = 0;
  const newPerson = (): { email: string; address: string } => {
    people += 1;
    return { email: `owner${people}@example.com`, address: `203.0.113.${people + 100}` };
  };
  /** Asks for a reset; gives the mail and the token in it. */
  const askForReset = async (owner: Browser, email: string): Promise<{ text: string; token: string }> => {
    await owner.post('/account/password/forgot', { email });
    const text = await findMail(email, 'Set a new password');
    return { text, token: /reset-password\?token=(\S+)/.exec(text)?.[1] ?? '' };
  };
  const verify = async (browser: Browser, email: string): Promise<number> => {
    const text = await findMail(email, 'Confirm your email address');
    const token = /verify-email\?token=(\S+)/.exec(text)?.[1];
    return (await browser.post('/account/email/verify', { token })).status;
  };
  const preview = async (owner: Browser, token: string): Promise<unknown> =>
    (await owner.post('/account/password/reset/preview', { token })).body;
  const reset = (owner: Browser, token: string) =>
    owner.post('/account/password/reset', { token, password: OWNERS_PASSWORD });

  it('a reset revokes its keys, also in a grace period; email, page and audit log say so', async () => {
    const { email, address } = newPerson();
    const stranger = await openSignedIn(server, email, address);
    const rotated = await makeKey(stranger, 'rotated');
    const fresh = await stranger.post(`/account/keys/${rotated.key.id}/rotate`, { grace_days: 7 });
    const plain = await makeKey(stranger, 'plain');
    const revoked = await makeKey(stranger, 'revoked before');
    await stranger.delete(`/account/keys/${revoked.key.id}`);
    const secrets = [rotated.secret, fresh.body.secret, plain.secret];
    for (const secret of secrets) assert.equal(await call(secret), 200, 'and it is cached now');

    const owner = openBrowser(server, '198.51.100.1');
    const { text, token } = await askForReset(owner, email);
    assert.match(text, /has not been verified.*revokes all API keys of the account that exist by then/);
    assert.deepEqual(await preview(owner, token), { keys_to_revoke: 3 });
    const answer = await reset(owner, token);
    assert.deepEqual([answer.status, answer.body], [200, { keys_revoked: 3 }]);
    for (const secret of secrets) assert.equal(await call(secret), 401, 'from the next request on');
    assert.equal((await stranger.get('/account/keys')).status, 401);

    await owner.post('/account/sign-in', { email, password: OWNERS_PASSWORD });
    const { events } = (await owner.get('/account/audit')).body;
    const entry = events.find(({ event }: { event: string }) => event === 'keys.revoked_by_reset');
    assert.equal(entry?.detail, '3 keys');
    assert.equal(entry?.request_id, answer.headers['x-request-id']);
    assert.equal((await owner.get('/account/session')).body.account.email_verified, true);
  });

  it('a reset by the owner of a verified address keeps the keys', async () => {
    const { email, address } = newPerson();
    const owner = await openSignedIn(server, email, address);
    assert.equal(await verify(owner, email), 204);
    const { secret } = await makeKey(owner, 'mine');
    const { text, token } = await askForReset(owner, email);
    assert.doesNotMatch(text, /key/i);
    assert.deepEqual(await preview(owner, token), { keys_to_revoke: 0 });
    assert.deepEqual((await reset(owner, token)).body, { keys_revoked: 0 });
    assert.equal(await call(secret), 200);
    await owner.post('/account/sign-in', { email, password: OWNERS_PASSWORD });
    const { events } = (await owner.get('/account/audit')).body;
    assert.ok(!events.some(({ event }: { event: string }) => event === 'keys.revoked_by_reset'));
  });

  it('a reset verifies the address: the next one keeps the keys', async () => {
    const { email, address } = newPerson();
    const owner = await openSignedIn(server, email, address);
    await makeKey(owner, 'old');
    assert.deepEqual((await reset(owner, (await askForReset(owner, email)).token)).body, { keys_revoked: 1 });
    await owner.post('/account/sign-in', { email, password: OWNERS_PASSWORD });
    const { secret } = await makeKey(owner, 'new');
    server.mails.length = 0;
    assert.deepEqual((await reset(owner, (await askForReset(owner, email)).token)).body, { keys_revoked: 0 });
    assert.equal(await call(secret), 200);
  });

  it('keys that an operator created before the first password are revoked too, and the email says so', async () => {
    const { email, address } = newPerson();
    const plans = new Map([['free', { limitPerMinute: 60, slots: null }]]);
    const account = await createAccount(server.storage.accounts, plans, { email }, server.now());
    const { secret } = await createKey(
      server.storage.keys,
      { accountId: account.id, name: 'k' },
      server.now(),
    );
    const owner = openBrowser(server, address);
    const { text, token } = await askForReset(owner, email);
    assert.match(text, /revokes all API keys/);
    assert.deepEqual((await reset(owner, token)).body, { keys_revoked: 1 });
    assert.equal(await call(secret), 401);
  });

  it('the link that verifies an address works only in a session of the account', async () => {
    const { email, address } = newPerson();
    const stranger = await openSignedIn(server, email, address);
    const owner = openBrowser(server, '198.51.100.2');
    assert.equal(await verify(owner, email), 401, 'without a session of the account');
    const someoneElse = await openSignedIn(server, newPerson().email, '198.51.100.3');
    assert.equal(await verify(someoneElse, email), 401, 'signed in to another account');
    assert.equal((await stranger.get('/account/session')).body.account.email_verified, false);
    const { secret } = await makeKey(stranger, 'k');
    assert.deepEqual((await reset(owner, (await askForReset(owner, email)).token)).body, { keys_revoked: 1 });
    assert.equal(await call(secret), 401);
  });

  it('the emails to the owner of the address say how to take over the account', async () => {
    const { email, address } = newPerson();
    await openSignedIn(server, email, address);
    assert.match(
      await findMail(email, 'Confirm your email address'),
      /did not sign up.*new password.*revokes/s,
    );
    await openBrowser(server, '198.51.100.4').post('/account/sign-up', { email, password: OWNERS_PASSWORD });
    assert.match(
      await findMail(email, 'You have an account already'),
      /did not create it.*revokes its API keys/s,
    );
  });

  it('a failed reset changes nothing: neither a used or foreign link nor a weak password revokes keys', async () => {
    const { email, address } = newPerson();
    const stranger = await openSignedIn(server, email, address);
    const { secret } = await makeKey(stranger, 'k');
    const owner = openBrowser(server, '198.51.100.5');
    const { token } = await askForReset(owner, email);
    assert.deepEqual(await preview(owner, 'x'.repeat(24)), { keys_to_revoke: 0 });
    assert.equal((await reset(owner, 'x'.repeat(24))).body.param, 'token');
    const weak = await owner.post('/account/password/reset', { token, password: 'short' });
    assert.equal(weak.body.param, 'password');
    assert.equal(await call(secret), 200);
    assert.equal((await stranger.get('/account/keys')).status, 200);
    assert.deepEqual((await reset(owner, token)).body, { keys_revoked: 1 }, 'the link was not used up');
    assert.equal((await reset(owner, token)).body.param, 'token');
  });

  it('of two resets by the same link at once, one sets the password', async () => {
    const { email, address } = newPerson();
    await makeKey(await openSignedIn(server, email, address), 'k');
    const owner = openBrowser(server, '198.51.100.6');
    const { token } = await askForReset(owner, email);
    const answers = await Promise.all([reset(owner, token), reset(owner, token)]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
  });

  it('a key, a session or a password that the stranger creates during the reset does not survive it', async () => {
    for (let round = 0; round < 4; round++) {
      const { email, address } = newPerson();
      const stranger = await openSignedIn(server, email, address);
      const { key } = await makeKey(stranger, 'to rotate');
      const owner = openBrowser(server, '198.51.100.7');
      const { token } = await askForReset(owner, email);
      const secrets: string[] = [];
      const visitors: Browser[] = [];
      const progress = { isReset: false };
      const keepMaking = async (): Promise<void> => {
        for (let n = 0; n < 40 && !progress.isReset; n++) {
          const path = n % 4 === 1 ? `/account/keys/${key.id}/rotate` : '/account/keys';
          const { body } = await stranger.post(path, n % 4 === 1 ? { grace_days: 7 } : { name: 'k' });
          if (typeof body?.secret === 'string') secrets.push(body.secret);
        }
      };
      const signInAgain = async (): Promise<void> => {
        const visitor = openBrowser(server, address);
        visitors.push(visitor);
        await visitor.post('/account/sign-in', { email, password: PASSWORD });
      };
      const changePassword = async (): Promise<void> => {
        const change = { current_password: PASSWORD, new_password: 'kept by the stranger' };
        const visitor = openBrowser(server, address);
        for (const [name, value] of stranger.cookies) visitor.cookies.set(name, value);
        visitors.push(visitor);
        await visitor.post('/account/password', change);
      };
      const resetSoon = async (): Promise<number> => {
        const { status } = await reset(owner, token);
        progress.isReset = true;
        return status;
      };
      // Even rounds race sign-ins, odd ones a change of the password.
      const rivals = round % 2 === 0 ? [signInAgain(), signInAgain(), signInAgain()] : [changePassword()];
      const [status] = await Promise.all([resetSoon(), keepMaking(), ...rivals]);
      // The stranger's own change of the password may come first, and ends the link.
      if (round % 2 === 1 && status === 400) continue;
      assert.equal(status, 200);
      for (const secret of secrets) assert.equal(await call(secret), 401, 'a key outlived the reset');
      for (const visitor of visitors)
        assert.equal((await visitor.get('/account/keys')).status, 401, 'a session outlived the reset');
      const signIn = await owner.post('/account/sign-in', { email, password: OWNERS_PASSWORD });
      assert.equal(signIn.status, 200, 'the password is the owner’s');
    }
  });

  /** Runs `act` after the next time that the hash of a password is loaded, before the caller receives it. */
  const runAfterNextLoad = (act: (hash: string | null) => Promise<string | null>): void => {
    const { store } = server.access;
    const { findPasswordHash } = store;
    store.findPasswordHash = async (email) => {
      store.findPasswordHash = findPasswordHash;
      return act(await findPasswordHash(email));
    };
  };

  for (const [name, request] of [
    ['deletes the account', (browser: Browser) => browser.delete('/account', { password: PASSWORD })],
    [
      'changes the password',
      (browser: Browser) =>
        browser.post('/account/password', { current_password: PASSWORD, new_password: 'of the stranger' }),
    ],
  ] as const)
    it(`a reset while the old password is verified stops the request that ${name}`, async () => {
      const { email, address } = newPerson();
      const stranger = await openSignedIn(server, email, address);
      const owner = openBrowser(server, '198.51.100.8');
      const { token } = await askForReset(owner, email);
      runAfterNextLoad(async (stored) => {
        const tokenHash = hash('sha256', token, 'base64url');
        const change = {
          tokenHash,
          passwordHash: 'of the owner',
          requestId: 'r',
          ip: null,
          nowMs: server.now(),
        };
        assert.ok(await server.storage.access.resetPassword(change));
        return stored;
      });
      assert.equal((await request(stranger)).status, 401);
      assert.equal(await server.storage.access.findPasswordHash(email), 'of the owner');
    });

  it('a sign-in whose password was replaced meanwhile leaves no session', async () => {
    const { email, address } = newPerson();
    const stranger = await openSignedIn(server, email, address);
    const { id } = (await stranger.get('/account/session')).body.account;
    await stranger.post('/account/sign-out-everywhere');
    runAfterNextLoad(async () => 'the hash of an earlier password');
    const visitor = openBrowser(server, address);
    assert.equal((await visitor.post('/account/sign-in', { email, password: PASSWORD })).status, 401);
    assert.deepEqual(await server.storage.access.listSessions(id, 0, 0), []);
  });
});
