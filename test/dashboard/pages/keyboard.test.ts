/**
 * The dashboard without a mouse: everything can be reached, hidden elements have no focus, dialogs restore
 * it.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import {
  createKey,
  type Dashboard,
  enter,
  newEmail,
  openDashboard,
  openSession,
  PASSWORD,
  type Visitor,
  type VisitorOptions,
} from '../open-dashboard.ts';

let dashboard: Dashboard;

before(async () => {
  dashboard = await openDashboard();
});

afterEach(() => dashboard.closeVisitors());
after(() => dashboard?.[Symbol.asyncDispose]());

/** Returns the name of the focused element. */
function getFocusedName({ page }: Visitor): Promise<string> {
  return page.evaluate<string>(
    `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`,
  );
}

/** Opens the page of the keys of a new account, which has one. */
async function openKeys(options?: VisitorOptions): Promise<Visitor> {
  const visitor = await dashboard.newVisitor(options);
  await openSession(visitor);
  await createKey(visitor);
  await visitor.goto('/keys');
  return visitor;
}

async function tabTo(visitor: Visitor, name: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await visitor.page.keyboard.press('Tab');
    if ((await getFocusedName(visitor)) === name) return;
  }
  assert.fail(`Tab never reaches "${name}"`);
}

it('signing up, creating a key and calling the API work with the keyboard', async () => {
  const visitor = await dashboard.newVisitor();
  const { page, goto } = visitor;
  await goto('/sign-up');
  await page.keyboard.type(newEmail());
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await tabTo(visitor, 'Create key');
  await page.keyboard.press('Enter');
  await page.getByTestId('key-secret').waitFor();
  assert.equal(await getFocusedName(visitor), 'The new key');
  await tabTo(visitor, 'Call the API');
  await page.keyboard.press('Enter');
  await page.getByText('200 OK').waitFor();
  assert.equal(await getFocusedName(visitor), 'Call the API');
  assert.deepEqual(visitor.problems, []);
});

it('on a narrow screen the closed menu cannot be focused, Escape closes it, and a new page gets the focus', async () => {
  const visitor = await dashboard.newVisitor({ width: 380 });
  await enter(visitor, '/keys');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Create key' }).first().waitFor();
  await tabTo(visitor, 'Open the menu');
  const seen: string[] = [];
  while (seen.at(-1) !== 'Create key' && seen.length < 10) {
    await page.keyboard.press('Tab');
    seen.push(await getFocusedName(visitor));
  }
  assert.equal(seen.at(-1), 'Create key');
  assert.ok(!seen.includes('Usage'), seen.join(', '));

  await page.getByRole('button', { name: 'Open the menu' }).press('Enter');
  await page.getByRole('button', { name: 'Close the menu' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open the menu' }).waitFor();
  assert.equal(await getFocusedName(visitor), 'Open the menu');

  await page.keyboard.press('Enter');
  await tabTo(visitor, 'Settings');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.locator('#content:focus').waitFor();
  assert.deepEqual(visitor.problems, []);
});

it('on a narrow screen the open menu covers all of the page', async () => {
  const visitor = await openKeys({ width: 380 });
  const { page } = visitor;
  await page.getByText('Active 1').waitFor();
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('link', { name: 'Overview' }).click({ trial: true });
  const above = await page.evaluate(() => {
    // Inert elements are painted, but not found at a point.
    for (const element of document.querySelectorAll('[inert]')) element.removeAttribute('inert');
    const found: string[] = [];
    for (let y = 60; y < innerHeight; y += 4)
      for (let x = 8; x < innerWidth; x += 8) {
        const element = document.elementFromPoint(x, y);
        if (element?.closest('#content')) found.push(element.textContent);
      }
    return found;
  });
  assert.deepEqual(above, []);
});

it('a menu has the focus also if its button was scrolled out of view', async () => {
  const visitor = await openKeys({ width: 380 });
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Actions for Server' });
  await button.focus();
  await page.evaluate('document.body.style.paddingBottom = "3000px"');
  while (!(await page.evaluate<boolean>('scrollTo(0, 2500), scrollY > 2000'))) await page.waitForTimeout(20);
  await page.keyboard.press('Enter');
  const focused = page.locator('[role=menuitem]:focus');
  await focused.waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowDown');
  assert.ok(await focused.isVisible());
  assert.deepEqual(visitor.problems, []);
});

it('a dialog opened from a menu restores the focus to the menu’s button', async () => {
  const visitor = await openKeys();
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Actions for Server' });
  await button.press('Enter');
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('button:focus[aria-label="Actions for Server"]').waitFor();
});

it('a rejected form focuses its first invalid field, whether the page or the service rejected it', async () => {
  const visitor = await dashboard.newVisitor();
  const { page, goto } = visitor;
  const invalidField = (name: string) =>
    page.locator(`:focus[aria-invalid="true"]`).and(page.getByLabel(name, { exact: true }));
  await goto('/sign-up');
  await page.getByRole('button', { name: 'Create account' }).click();
  await invalidField('Email').waitFor();
  await page.getByLabel('Email', { exact: true }).fill(newEmail());
  await page.getByRole('button', { name: 'Create account' }).click();
  await invalidField('Password').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill('password12345');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText(/first that anyone would guess/).waitFor();
  await invalidField('Password').waitFor();
});
