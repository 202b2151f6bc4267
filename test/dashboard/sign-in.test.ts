/** Sign-in by the identity provider and the second step, with a real provider on loopback. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { findFreePorts } from '../support/free-ports.ts';
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts';
import { sampleTests } from '../support/sample.ts';
import { computeTotp } from '../support/totp.ts';
import { type Dashboard, openDashboard, openSession, PASSWORD, type Visitor } from './open-dashboard.ts';

const it = sampleTests(4);

let provider: OidcServer;
let dashboard: Dashboard;

before(async () => {
  const [port = 0] = await findFreePorts(1);
  provider = await startOidcServer(`http://127.0.0.1:${port}/account/oidc/callback`);
  dashboard = await openDashboard({
    PORT: String(port),
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Example ID',
  });
});
after(async () => {
  await dashboard?.[Symbol.asyncDispose]();
  await provider?.close();
});

/** Signs in at the provider when the page goes there. */
async function answerAtProvider({ page }: Visitor, email: string, verified: boolean): Promise<void> {
  await page.route(`${provider.issuer}/**`, async (route) => {
    const person = { sub: email, email, email_verified: verified };
    const callback = await provider.signIn(route.request().url(), person);
    await route.fulfill({ status: 303, headers: { location: callback.href } });
  });
}

/** Turns the second factor of the visitor's account on. Returns the secret and a recovery code. */
async function enroll({ context, origin }: Visitor): Promise<{ secret: string; recoveryCode: string }> {
  const post = (path: string, data: object) => context.request.post(path, { data, headers: { origin } });
  const enrolled = (await (await post('/account/second-factor', { password: PASSWORD })).json()) as {
    secret: string;
    recovery_codes: string[];
  };
  const code = computeTotp(enrolled.secret, Date.now());
  assert.equal((await post('/account/second-factor/confirm', { code })).status(), 204);
  return { secret: enrolled.secret, recoveryCode: enrolled.recovery_codes[0] ?? '' };
}

it('the button of the provider is first, signs a new person in, and a refusal says how to proceed', async () => {
  const visitor = await dashboard.newVisitor();
  const { page } = visitor;
  await answerAtProvider(visitor, 'ida@example.com', false);
  await visitor.goto('/sign-in');
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await page.getByText('The provider has not confirmed your email address.').waitFor();
  await page.unrouteAll();
  await answerAtProvider(visitor, 'ida@example.com', true);
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  await page.getByRole('button', { name: 'Account ida@example.com' }).waitFor();
});

it('an account with a second factor is asked for the code of the app, or for a recovery code', async () => {
  const visitor = await dashboard.newVisitor({ width: 1100 });
  const email = await openSession(visitor);
  const { recoveryCode } = await enroll(visitor);
  const { page, context } = visitor;
  const signIn = async () => {
    await context.clearCookies();
    await visitor.goto('/sign-in?next=%2Fkeys');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  };
  await signIn();
  await page.getByLabel('Digit 1').click();
  await page.keyboard.type('000000');
  await page.getByText('The code is not right').waitFor();
  await page.locator('[aria-label="Digit 1"]:focus').waitFor();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByText('Ask the operator to reset the second factor').waitFor();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
});

it('the settings turn the second factor on and off, and the next sign-in asks for the code', async () => {
  const visitor = await dashboard.newVisitor({ width: 1150 });
  const email = await openSession(visitor);
  const { page, context, problems } = visitor;
  await visitor.goto('/settings');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Your password').fill('not the right one');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The password is not right.').waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  const secret = (await page.getByTestId('totp-secret').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('The code is not right: enter the newest one of your app').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(computeTotp(secret, Date.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  const [first = '', second = ''] = await codes.allInnerTexts();
  assert.equal(await codes.count(), 10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 codes left').waitFor();

  await context.clearCookies();
  await visitor.goto('/sign-in?next=%2Fsettings');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(first);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('9 codes left').waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Use a code instead' }).click();
  await dialog.getByLabel('Code of the app, or a recovery code').fill(second);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
  // The browser's own messages about the refused password and code.
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('400 (Bad Request)')),
    [],
  );
});

it('the settings connect the provider and disconnect it; a refusal is explained there', async () => {
  const visitor = await dashboard.newVisitor({ width: 1160 });
  const email = await openSession(visitor);
  const { page } = visitor;
  const { accounts } = dashboard.service.app.storage;
  const { id } = (await accounts.findAccountByEmail(email))!;
  await answerAtProvider(visitor, email, true);
  await visitor.goto('/settings');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: /address/ })
    .waitFor();
  assert.match(page.url(), /\/settings\?refused=account_unverified$/);
  await accounts.updateAccount(id, { emailVerified: true }, Date.now());
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await visitor.goto('/settings');
  await page.getByText('Connected', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
});
