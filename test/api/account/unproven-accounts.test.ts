/** Accounts that signed up by themselves and were never verified, as the API shows and limits them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createInvite } from '#accounts/sign-in';
import {
  type AccountServer,
  PASSWORD,
  openBrowser,
  openSignedInByRequests,
  startAccountServer,
} from '../account-server.ts';

describe('an account that signed up by itself', () => {
  let server: AccountServer;
  before(async () => {
    server = await startAccountServer();
  });
  after(() => server.close());

  it('is unproven for the shares of its keys, until its address is verified', async () => {
    const browser = await openSignedInByRequests(server, 'self@example.com', '198.51.100.1');
    const { secret } = (await browser.post('/account/keys', { name: 'k' })).body;
    assert.equal((await server.keys.authenticate(secret))?.isUnproven, true);
    const [, token] = /verify-email\?token=(\S+)/.exec(server.mails.at(-1)?.text ?? '') ?? [];
    assert.equal((await browser.post('/account/email/verify', { token })).status, 204);
    assert.equal((await server.keys.authenticate(secret))?.isUnproven, false);
  });

  it('is proven if it has an invitation, or an operator created it', async () => {
    const { token } = await createInvite(server.access, null, 'operator');
    const body = { email: 'invited@example.com', password: PASSWORD, invite: token };
    assert.equal((await openBrowser(server).post('/account/sign-up', body)).status, 202);
    const account = await server.storage.accounts.findAccountByEmail(body.email);
    assert.deepEqual([account?.emailVerified, account?.unproven], [false, false]);
  });

  it('429: a sixth one from a network within a day is refused, an invited one is not', async () => {
    const signUp = (n: number, invite?: string) =>
      openBrowser(server, `192.0.2.${n}`).post('/account/sign-up', {
        email: `crowd${n}@example.com`,
        password: PASSWORD,
        ...(invite !== undefined && { invite }),
      });
    const answers = [];
    for (let n = 1; n <= 6; n += 1) answers.push(await signUp(n));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 202, 202, 202, 429],
    );
    const refused = answers[5];
    assert.match(
      refused?.body.message,
      /^Too many people have signed up .* ask the operator for an invitation/,
    );
    assert.ok(Number(refused?.headers['retry-after']) > 80_000);
    assert.equal(await server.storage.accounts.findAccountByEmail('crowd6@example.com'), null);
    const { token } = await createInvite(server.access, null, 'operator');
    assert.equal((await signUp(7, token)).status, 202);
    server.clock.shiftMs += 86_400_000;
    assert.equal((await signUp(8)).status, 202);
  });
});
