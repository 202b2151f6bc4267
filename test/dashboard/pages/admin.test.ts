/** An administrator's actions on the admin page: lookup by request id, accounts, invitations. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  createAccount,
  createKey,
  type Dashboard,
  openDashboard,
  openSession,
  type Visitor,
} from '../open-dashboard.ts';

let dashboard: Dashboard;
let admin: Visitor;

before(async () => {
  dashboard = await openDashboard();
  admin = await dashboard.newVisitor();
  const email = await openSession(admin);
  const { accounts } = dashboard.service.app.storage;
  const { id } = (await accounts.findAccountByEmail(email))!;
  await accounts.updateAccount(id, { admin: true, emailVerified: true }, Date.now());
});
after(() => dashboard?.[Symbol.asyncDispose]());

it('a failing request is found by its id, with its account, which opens beside the list', async () => {
  const { page } = admin;
  const user = await dashboard.newVisitor();
  const email = await openSession(user);
  const { secret } = await createKey(user, 'link-previews');
  const failed = await dashboard.service.call('/v1/email/validate?email=a@b.example&check_mx=maybe', secret);
  await admin.goto('/admin');
  await page.getByRole('list', { name: 'Health of the parts' }).getByText('Database').waitFor();
  const lookup = page.getByRole('searchbox', { name: 'Look up a request by its ID' });
  await lookup.fill('no-such-request');
  await lookup.press('Enter');
  await page.getByText('No request with this ID.').waitFor();
  await lookup.fill(failed.headers.get('x-request-id') ?? '');
  await lookup.press('Enter');
  const found = page.getByRole('status', { name: 'Request' });
  await found.getByText('invalid_parameter').waitFor();
  await found.getByText('link-previews').waitFor();
  await found.getByRole('button', { name: 'Details' }).click();
  await found.getByText('check_mx', { exact: true }).waitFor();
  await found.getByRole('button', { name: email }).click();
  const inspector = page.getByRole('region', { name: email });
  await inspector.getByText('link-previews').waitFor();
  await page.keyboard.press('Escape');
  await inspector.waitFor({ state: 'detached' });
  assert.deepEqual(admin.problems, []);
});

it('an account gets a password link, is verified and deleted after its address is typed', async () => {
  const { page } = admin;
  const email = await createAccount(dashboard);
  await admin.goto('/admin');
  await page.getByRole('row').filter({ hasText: email }).click();
  await page.getByRole('button', { name: 'Password link' }).click();
  await page.getByText('The address is unverified').waitFor();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('/reset-password?token=').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `More actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Mark the address as verified' }).click();
  await page.getByRole('row').filter({ hasText: email }).getByText('Active').waitFor();
  await page.getByRole('button', { name: `More actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address of the account').fill('other@example.com');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('This is not the address of the account.').waitFor();
  await dialog.getByLabel('Email address of the account').fill(email);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('row').filter({ hasText: email }).waitFor({ state: 'detached' });
  assert.equal(await dashboard.service.app.storage.accounts.findAccountByEmail(email), null);
});

it('an invitation is created, listed and revoked', async () => {
  const { page } = admin;
  await admin.goto('/admin?tab=invitations');
  await page.getByText('No invitations').waitFor();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Email address (optional)').fill('ines@example.com');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('/sign-up?invite=').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke the invitation for ines@example.com' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No invitations').waitFor();
});
