/**
 * The pages of an account that someone else created with one's address, and rotations at the limit of keys.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import {
  createAccount,
  createKey,
  type Dashboard,
  openDashboard,
  openSession,
  PASSWORD,
  signIn,
  type Visitor,
} from './open-dashboard.ts';
import { sampleTests } from '../support/sample.ts';
import { patientMs } from '../support/patience.ts';

const it = sampleTests(3);

let dashboard: Dashboard;

before(async () => {
  dashboard = await openDashboard();
});

afterEach(() => dashboard.closeVisitors());
after(() => dashboard?.[Symbol.asyncDispose]());

const NEW_PASSWORD = 'violet harbor hums';

/** Returns the path of the newest link of this kind that was emailed to the address. */
async function findLink({ page }: Visitor, email: string, path: string): Promise<string> {
  const pattern = new RegExp(String.raw`${path}\?token=[\w.-]+`);
  const find = () => dashboard.emails.findLast((mail) => mail.includes(email) && pattern.test(mail));
  for (const deadline = Date.now() + patientMs(20_000); find() === undefined;) {
    assert.ok(Date.now() < deadline, 'the link is written to the log');
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  return pattern.exec(find() ?? '')?.[0] ?? '';
}

async function requestReset({ page, goto }: Visitor, email: string): Promise<void> {
  await goto('/forgot-password');
  await page.locator('input[name=email]').fill(email);
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('link', { name: 'Back to sign in' }).waitFor();
}

it('the reset page announces and reports that keys are revoked, and the audit trail records it', async () => {
  const stranger = await dashboard.newVisitor();
  const email = await openSession(stranger);
  const { secret } = await createKey(stranger);
  await createKey(stranger, 'Second');
  const owner = await dashboard.newVisitor();
  const { page } = owner;
  await requestReset(owner, email);
  await owner.goto(await findLink(owner, email, '/reset-password'));
  await page.getByText('Its 2 API keys will be revoked').waitFor();
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('2 keys were revoked').waitFor();
  assert.equal((await dashboard.service.call('/v1/email/validate?email=a@example.com', secret)).status, 401);
  assert.deepEqual(owner.problems, []);
  await signIn(owner, email, NEW_PASSWORD);
  await owner.goto('/audit');
  await page.getByText('Keys revoked by the password reset').waitFor();
  await page.getByText('2 keys', { exact: true }).waitFor();
});

it('a reset that revokes no key does not mention keys and opens the sign-in page', async () => {
  const visitor = await dashboard.newVisitor();
  const email = await createAccount(dashboard);
  const { page } = visitor;
  await requestReset(visitor, email);
  const previewed = page.waitForResponse('**/account/password/reset/preview');
  await visitor.goto(await findLink(visitor, email, '/reset-password'));
  await previewed;
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
  assert.equal(await page.getByText(/revoked/).count(), 0);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your password was changed').waitFor();
});

it('the link that confirms an address requires a sign-in, then works', async () => {
  const email = await createAccount(dashboard);
  const elsewhere = await dashboard.newVisitor();
  const { page } = elsewhere;
  await elsewhere.goto(await findLink(elsewhere, email, '/verify-email'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Sign in to confirm' }).waitFor();
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.locator('input[name=email]').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
});

it('an administrator sees which addresses are not confirmed', async () => {
  const { service } = dashboard;
  const admin = await dashboard.newVisitor();
  const email = await openSession(admin);
  const { accounts } = service.app.storage;
  const { id } = (await accounts.findAccountByEmail(email))!;
  await accounts.updateAccount(id, { admin: true, emailVerified: true }, Date.now());
  const unverified = await createAccount(dashboard);
  await admin.goto('/admin');
  const row = (address: string) => admin.page.getByRole('row').filter({ hasText: address });
  await row(unverified).getByText('Unverified').waitFor();
  assert.equal(await row(email).getByText('Unverified').count(), 0);
});

it('a rotation at the limit announces and reports which grace period it ends', async () => {
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  const { page, context, origin } = visitor;
  const first = await createKey(visitor, 'First');
  for (let made = 1; made < 19; made += 1) await createKey(visitor, `Key ${made}`);
  const rotate = { data: { grace_days: 7 }, headers: { origin } };
  await context.request.post(`/account/keys/${first.id}/rotate`, rotate);
  await visitor.goto('/keys');
  await page.getByText('20 of 20 keys in use, 1 of them in a grace period').waitFor();
  await rotateKey(visitor, 'Key 1');
  await page.getByText(`the grace period of First (${first.secret.slice(0, 12)}…`).waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
});

it('a rotation at the limit without another grace period ends the old key immediately', async () => {
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  for (let made = 0; made < 20; made += 1) await createKey(visitor, `Key ${made}.`);
  await visitor.goto('/keys');
  await rotateKey(visitor, 'Key 1.');
  await visitor.page.getByText('all keys are in use, so there is no grace period').waitFor();
});

async function rotateKey({ page }: Visitor, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByText('All 20 keys are in use.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
}
