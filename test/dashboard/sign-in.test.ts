/** Sign-in by the identity provider and the second step, with a real provider on loopback. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { findFreePorts } from '../support/free-ports.ts';
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts';
import { computeTotp } from '../support/totp.ts';
import { type Dashboard, openDashboard, openSession, PASSWORD, type Visitor } from './open-dashboard.ts';

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
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
});
