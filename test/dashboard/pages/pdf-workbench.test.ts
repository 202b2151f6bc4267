/** The workbench for PDFs: its options print what they say, and the pages of the result are shown. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WITH_BROWSER } from '../../support/start-app.ts';
import { createKey, openDashboard, openSession } from '../open-dashboard.ts';

it('the workbench shows the pages of an encrypted PDF', async () => {
  await using dashboard = await openDashboard(WITH_BROWSER);
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  await createKey(visitor);
  const { page } = visitor;
  await visitor.goto('/try/pdf');
  await page.getByRole('button', { name: /^More options/ }).click();
  await page.getByLabel('Password', { exact: true }).fill('ann-0417');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Render' }).click();
  await page
    .locator('canvas[data-rendered]')
    .or(page.getByText('The pages could not be rendered'))
    .first()
    .waitFor();
  assert.equal(await page.getByText('The pages could not be rendered').count(), 0);
  assert.deepEqual(visitor.problems, []);
});
