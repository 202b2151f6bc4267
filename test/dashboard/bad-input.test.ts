/** Errors and the messages that the pages show for them; requests that must be rejected. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import {
  createAccount,
  createKey,
  type Dashboard,
  enter,
  newEmail,
  openDashboard,
  openSession,
  PASSWORD,
  signIn,
  type Visitor,
} from './open-dashboard.ts';
import { sampleTests } from '../support/sample.ts';

const it = sampleTests(8);

let dashboard: Dashboard;

before(async () => {
  dashboard = await openDashboard();
});

afterEach(() => dashboard.closeVisitors());
after(() => dashboard?.[Symbol.asyncDispose]());

/** Waits for the page's alert and returns its text. */
async function waitForAlert({ page }: Visitor): Promise<string> {
  const alert = page.getByRole('alert').first();
  await alert.waitFor();
  return alert.innerText();
}

async function fillSignIn({ page, goto }: Visitor, email: string, password: string): Promise<void> {
  await goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('signing in', () => {
  it('shows the same message for a wrong password and an unknown address', async () => {
    const email = await createAccount(dashboard);
    const other = await dashboard.newVisitor();
    await fillSignIn(other, email, 'not the right one');
    const known = await waitForAlert(other);
    await fillSignIn(other, newEmail(), 'not the right one');
    assert.equal(await waitForAlert(other), known);
    assert.match(known, /address or the password/i);
    assert.equal(
      await other.page.getByRole('textbox', { name: 'Password' }).inputValue(),
      'not the right one',
    );
  });

  it('shows how long to wait after too many failures', async () => {
    const visitor = await dashboard.newVisitor();
    await fillSignIn(visitor, newEmail(), 'not the right one');
    let sentence = await waitForAlert(visitor);
    // The delay starts after five failures and doubles with each; a slow machine needs a few more.
    for (let attempt = 0; attempt < 12 && !/wait/i.test(sentence); attempt += 1) {
      const responded = visitor.page.waitForResponse('**/account/sign-in');
      await visitor.page.getByRole('button', { name: 'Sign in' }).click();
      await responded;
      sentence = await waitForAlert(visitor);
    }
    assert.match(sentence, /wait/i);
  });

  it('reports empty fields without a request', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.goto('/sign-in');
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.getByText('Enter your email address.').waitFor();
    await visitor.page.getByText('Enter your password.').waitFor();
    assert.deepEqual(visitor.problems, []);
  });

  it('sends one request, even if Enter is pressed again before the response', async () => {
    const visitor = await dashboard.newVisitor();
    const { page, goto } = visitor;
    let requests = 0;
    const held = Promise.withResolvers<void>();
    await page.route('**/account/sign-in', async (route) => {
      requests += 1;
      await held.promise;
      await route.continue();
    });
    await goto('/sign-in');
    await page.getByLabel('Email', { exact: true }).fill(newEmail());
    const password = page.getByRole('textbox', { name: 'Password' });
    await password.fill('not the right one');
    await password.press('Enter');
    await page.locator('button[type=submit][data-loading]').waitFor();
    await password.press('Enter');
    await password.press('Enter');
    held.resolve();
    await waitForAlert(visitor);
    assert.equal(requests, 1);
  });
});

describe('signing up', () => {
  const submit = async ({ page, goto }: Visitor, email: string, password: string) => {
    await goto('/sign-up');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
  };

  it('does not disclose that an address has an account', async () => {
    const email = await createAccount(dashboard);
    const visitor = await dashboard.newVisitor();
    await submit(visitor, email, 'another good password');
    const sentence = await waitForAlert(visitor);
    assert.match(sentence, /could not be signed in/);
    assert.doesNotMatch(sentence, /taken|exists|registered/i);
  });

  it('reports a weak password under its field', async () => {
    const visitor = await dashboard.newVisitor();
    await submit(visitor, newEmail(), 'short');
    await visitor.page.getByText('The password is too short').waitFor();
    await submit(visitor, newEmail(), 'password12345');
    await visitor.page.getByText(/first that anyone would guess/).waitFor();
  });
});

describe('links', () => {
  for (const [path, action] of [
    ['/reset-password?token=used', 'reset'],
    ['/verify-email?token=used', 'verify'],
    ['/setup?token=used', 'setup'],
  ] as const) {
    it(`a used ${action} link says that it no longer works`, async () => {
      const visitor = await dashboard.newVisitor();
      await visitor.goto(path);
      const { page } = visitor;
      if (action === 'setup') await page.getByLabel('Email', { exact: true }).fill(newEmail());
      if (action !== 'verify') await page.getByRole('textbox', { name: /password/i }).fill(PASSWORD);
      await page.locator('button[type=submit]').click();
      await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
      assert.notEqual((await waitForAlert(visitor)).trim(), '');
    });
  }

  it('signing in never leads to another host', async () => {
    const email = await createAccount(dashboard);
    for (const next of ['//example.com/', '/\\example.com']) {
      const visitor = await dashboard.newVisitor();
      await visitor.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      await visitor.page.getByLabel('Email', { exact: true }).fill(email);
      await visitor.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await visitor.page.getByRole('button', { name: 'Sign in' }).click();
      await visitor.page.getByRole('button', { name: `Account ${email}` }).waitFor();
      assert.equal(new URL(visitor.page.url()).origin, dashboard.service.url);
      await dashboard.closeVisitors();
    }
  });
});

describe('a session', () => {
  it('that ended in another tab opens the sign-in page, and then the page that was open before', async () => {
    const visitor = await dashboard.newVisitor();
    const email = await enter(visitor, '/plan');
    const other = await visitor.context.newPage();
    await other.goto('/');
    await other.getByRole('button', { name: `Account ${email}` }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    const { page } = visitor;
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Plan and limits' }).waitFor();
  });

  it('that was ended on another device opens the sign-in page at the next click', async () => {
    const visitor = await dashboard.newVisitor();
    const email = await enter(visitor);
    const device = await dashboard.newVisitor();
    await openSession(device, email);
    await device.goto('/settings');
    await device.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await device.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await device.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await visitor.page.getByRole('link', { name: 'Keys', exact: true }).click();
    await visitor.page.getByText('Your session has ended').waitFor();
  });

  it('of another account, started in another tab, shows no data of the account before', async () => {
    const other = await createAccount(dashboard);
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    const { page, context } = visitor;
    await createKey(visitor, 'Mine alone');
    await visitor.goto('/keys');
    await page.getByText('Mine alone').waitFor();
    const tab = await context.newPage();
    await tab.goto('/');
    await tab.getByRole('button', { name: /^Account / }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByLabel('Email', { exact: true }).fill(other);
    await tab.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: `Account ${other}` }).waitFor();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('No keys yet').waitFor();
    assert.equal(await page.getByText('Mine alone').count(), 0);
  });

  it('reloads the page when the cookie belongs to another account', async () => {
    const other = await createAccount(dashboard);
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/plan');
    const { page } = visitor;
    await openSession(visitor, other);
    const reloaded = page.waitForEvent('load');
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await reloaded;
    await page.getByRole('button', { name: `Account ${other}` }).waitFor();
  });

  it('is not restored by a stolen cookie after signing out everywhere', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    const stolen = (await visitor.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const asThief = () => dashboard.service.call('/account/keys', null, { headers: { cookie: stolen } });
    assert.equal((await asThief()).status, 200);
    await visitor.context.request.post('/account/sign-out-everywhere', {
      data: {},
      headers: { origin: dashboard.service.url },
    });
    assert.equal((await asThief()).status, 401);
  });

  it('cannot be used from another origin', async () => {
    const visitor = await dashboard.newVisitor();
    await openSession(visitor);
    const forged = await visitor.context.request.post('/account/keys', {
      data: { name: 'forged' },
      headers: { origin: 'https://evil.example' },
    });
    assert.ok(forged.status() >= 400, `${forged.status()}`);
    const { keys } = (await (await visitor.context.request.get('/account/keys')).json()) as {
      keys: unknown[];
    };
    assert.deepEqual(keys, []);
  });
});

describe('a server that does not respond', () => {
  it('is reported on the page, which works again when the server responds', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor);
    const { page, context } = visitor;
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Plan and limits' }).hover();
    await page.getByRole('button', { name: 'Create key' }).click();
    assert.match(await waitForAlert(visitor), /cannot be reached/);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByTestId('key-secret').waitFor();
  });

  it('does not clear the form', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/keys');
    const { page, context } = visitor;
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed before');
    await context.setOffline(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    assert.match(await waitForAlert(visitor), /cannot be reached/);
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Typed before');
  });

  it('offers to try again when a page could not be loaded', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor);
    const { page } = visitor;
    await page.route('**/account/plan', (route) =>
      route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }),
    );
    await page.getByRole('link', { name: 'Plan and limits' }).click();
    assert.match(await waitForAlert(visitor), /responded with 502/);
    await page.unroute('**/account/plan');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('How requests are counted').waitFor();
  });
});

describe('keys', () => {
  const openForm = async ({ page }: Visitor) => {
    await page.getByRole('button', { name: 'Create key' }).first().click();
  };
  const listKeys = async ({ context }: Visitor) =>
    ((await (await context.request.get('/account/keys')).json()) as { keys: { name: string }[] }).keys;

  it('a double click on create creates one key', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/keys');
    await openForm(visitor);
    await visitor.page.getByRole('textbox', { name: 'Name' }).fill('Once');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).dblclick();
    await visitor.page.getByTestId('key-secret').waitFor();
    assert.equal((await listKeys(visitor)).length, 1);
  });

  it('a repetition after a lost response creates no second key', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/keys');
    await openForm(visitor);
    const { page } = visitor;
    let lost = false;
    await page.route('**/account/keys', async (route) => {
      if (route.request().method() !== 'POST' || lost) return route.continue();
      lost = true;
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Once');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    assert.match(await waitForAlert(visitor), /cannot be reached/);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByTestId('key-secret').innerText()).trim();
    assert.equal((await listKeys(visitor)).length, 1);
    const response = await dashboard.service.call(
      '/v1/email/validate?email=a@example.com&check_mx=false',
      secret,
    );
    assert.equal(response.status, 200, 'the shown key works');
  });

  it('an expiry on a date requires the date', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/keys');
    await openForm(visitor);
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'Name' }).fill('Dated');
    await page.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'On a date…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Choose the last day').waitFor();
    assert.deepEqual(await listKeys(visitor), []);
    await page.getByLabel('Last day').fill('2999-01-31');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByTestId('key-secret').waitFor();
  });

  it('HTML in a name is shown as text', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/keys');
    await openForm(visitor);
    const name = '<img src=x onerror="document.title=1"><b>bold</b>';
    await visitor.page.getByRole('textbox', { name: 'Name' }).fill(name);
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await visitor.page.getByRole('button', { name: 'I have saved it' }).click();
    await visitor.page.getByText(name).first().waitFor();
    assert.equal(await visitor.page.locator('main b, main img').count(), 0);
    assert.deepEqual(visitor.problems, []);
  });

  it('a name of 10,000 characters is reported under its field', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/keys');
    await openForm(visitor);
    await visitor.page.getByRole('textbox', { name: 'Name' }).fill('n'.repeat(10_000));
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await visitor.page.locator('.mantine-TextInput-error').waitFor();
    assert.deepEqual(await listKeys(visitor), []);
  });

  it('an invalid network is reported under its field', async () => {
    const visitor = await dashboard.newVisitor();
    await enter(visitor, '/keys');
    await openForm(visitor);
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'Name' }).fill('Office');
    await page.getByRole('combobox', { name: 'Only from' }).fill('not-a-network');
    await page.keyboard.press('Tab');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.locator('.mantine-TagsInput-error').waitFor();
  });
});

describe('the account', () => {
  it('is deleted with its keys, but not with a wrong password', async () => {
    const visitor = await dashboard.newVisitor();
    const email = await enter(visitor);
    const { page, goto } = visitor;
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByTestId('key-secret').innerText()).trim();
    await goto('/settings');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Your password' }).fill('not the right one');
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await dialog.locator('[role=alert], .mantine-PasswordInput-error').first().waitFor();
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByText('Your account was deleted').waitFor();
    const response = await dashboard.service.call(
      '/v1/email/validate?email=a@example.com&check_mx=false',
      secret,
    );
    assert.equal(response.status, 401);
    await fillSignIn(visitor, email, PASSWORD);
    assert.match(await waitForAlert(visitor), /address or the password/i);
  });

  it('ends every other session when its password changes', async () => {
    const visitor = await dashboard.newVisitor();
    const email = await enter(visitor, '/settings');
    const device = await dashboard.newVisitor();
    await openSession(device, email);
    await device.goto('/');
    const { page } = visitor;
    await page.getByRole('textbox', { name: 'Current password' }).fill('not the right one');
    await page.getByRole('textbox', { name: 'New password' }).fill('violet harbor engine');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.locator('[role=alert], .mantine-PasswordInput-error').first().waitFor();
    await page.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await device.page.getByRole('link', { name: 'Usage' }).click();
    await device.page.getByText('Your session has ended').waitFor();
    await signIn(device, email, 'violet harbor engine');
  });
});
