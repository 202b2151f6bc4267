/** Accounts that signed up by themselves and were never verified, as the API shows and limits them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createInvite } from '#accounts/sign-in';
import { expireUnproven } from '../../../src/accounts/sign-in/create-access.ts';
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
    const getSlots = async () => (await browser.get('/account/plan')).body.shares.browser_slots;
    assert.equal(await getSlots(), 1);
    const [, token] = /verify-email\?token=(\S+)/.exec(server.mails.at(-1)?.text ?? '') ?? [];
    assert.equal((await browser.post('/account/email/verify', { token })).status, 204);
    assert.equal((await server.keys.authenticate(secret))?.isUnproven, false);
    assert.equal(await getSlots(), 2);
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

describe('an unproven account without use', () => {
  const DAY = 86_400_000;
  let server: AccountServer;
  before(async () => {
    server = await startAccountServer();
  });
  after(() => server.close());

  /** Signs up with a key. Returns what tells the state of the account. */
  async function open(name: string, address: string) {
    const email = `${name}@example.com`;
    const browser = await openSignedInByRequests(server, email, address);
    const { secret } = (await browser.post('/account/keys', { name: 'k' })).body;
    return {
      email,
      browser,
      find: () => server.storage.accounts.findAccountByEmail(email),
      works: async () => (await server.keys.authenticate(secret)) !== null,
      listMails: () => server.mails.filter(({ to, subject }) => to === email && subject.includes('disabled')),
    };
  }

  /** Runs the work of `days` days, on three replicas. */
  async function pass(days: number, context: Partial<AccountServer['access']> = {}): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      server.clock.shiftMs += DAY;
      await Promise.all([0, 1, 2].map(() => expireUnproven({ ...server.access, ...context })));
    }
  }

  it('loses its keys after 7 days with one mail, and is deleted after 30 more', async () => {
    const one = await open('idle', '198.51.100.1');
    await pass(1);
    await pass(7);
    assert.deepEqual([await one.works(), one.listMails().length], [false, 1]);
    assert.match(one.listMails()[0]?.text ?? '', /deleted in 30 days.*confirms the address/s);
    assert.notEqual((await one.find())?.keysDisabledAtMs ?? null, null);
    await pass(29);
    assert.ok(await one.find());
    assert.equal(one.listMails().length, 1);
    await pass(1);
    assert.equal(await one.find(), null);
  });

  it('keeps its keys while it is used, and gets them back when its address is verified', async () => {
    const two = await open('used', '198.51.100.2');
    await pass(7);
    assert.equal(await two.works(), true, 'the day of its sign-in does not count');
    await two.browser.post('/account/sign-in', { email: two.email, password: PASSWORD });
    await pass(7);
    assert.equal(await two.works(), true, 'a sign-in is a use');
    await pass(1);
    assert.equal(await two.works(), false);
    await two.browser.post('/account/sign-in', { email: two.email, password: PASSWORD });
    const { account } = (await two.browser.get('/account/session')).body;
    assert.match(account.keys_disabled_at, /^\d{4}-/);
    const events = (await two.browser.get('/account/audit')).body.events.map(
      ({ event }: { event: string }) => event,
    );
    assert.ok(events.includes('keys.disabled'));
    const found = await two.find();
    assert.ok(found);
    await server.storage.accounts.updateAccount(found.id, { emailVerified: true }, server.now());
    assert.equal(await two.works(), true);
    await pass(40);
    assert.equal((await two.find())?.emailVerified, true);
  });

  it('gets its keys back within a day if SMTP is removed, and is not deleted', async () => {
    const one = await open('without-mail', '198.51.100.5');
    await pass(8);
    assert.equal(await one.works(), false);
    await pass(1, { expiresUnproven: false } as never);
    assert.equal(await one.works(), true);
    await pass(50, { expiresUnproven: false } as never);
    assert.deepEqual([await one.works(), one.listMails().length], [true, 1]);
  });

  it('keeps its keys until the mail is sent', async () => {
    const three = await open('unmailed', '198.51.100.3');
    await pass(20, { sendMail: async () => false });
    assert.equal(await three.works(), true);
    await pass(1);
    assert.equal(await three.works(), false);
    await pass(29);
    assert.ok(await three.find(), 'the 30 days begin with the mail');
  });

  it('survives a clock that jumps by 30 days, ahead and back, again and again', async () => {
    const four = await open('jumping', '198.51.100.4');
    await pass(8);
    assert.equal(await four.works(), false);
    await pass(10);
    for (let jump = 0; jump < 41; jump += 1) {
      server.clock.shiftMs += jump % 2 === 0 ? 30 * DAY : -30 * DAY;
      await expireUnproven(server.access);
    }
    assert.ok(await four.find(), 'the clock is ahead');
    server.clock.shiftMs -= 30 * DAY;
    await pass(15);
    assert.ok(await four.find(), 'after 25 days');
    await pass(10);
    assert.equal(await four.find(), null);
  });

  it('has 30 days by the clock, too, if its keys were disabled while the clock was ahead', async () => {
    const five = await open('ahead', '198.51.100.5');
    await pass(7);
    server.clock.shiftMs += 30 * DAY;
    await expireUnproven(server.access);
    assert.equal(await five.works(), false);
    server.clock.shiftMs -= 30 * DAY;
    await pass(35);
    assert.ok(await five.find());
  });
});
