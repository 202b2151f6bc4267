/** The dashboard of a server that does not serve all operations (OPERATIONS). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createKey, openDashboard, openSession } from '../open-dashboard.ts';

it('the forms and examples are those of the served operations, and the page of another says so', async () => {
  await using dashboard = await openDashboard({ OPERATIONS: 'metadata,email' });
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  await createKey(visitor);
  const { page } = visitor;
  // A link to a form that is not here opens the first one.
  await visitor.goto('/try?operation=generatePdf');
  await page.waitForURL('**/try/email');
  const forms = page.getByRole('navigation', { name: 'Try it' }).getByRole('link');
  assert.deepEqual(await forms.allTextContents(), ['Email', 'Metadata']);
  await visitor.goto('/try/pdf');
  await page.getByText('Not served by this server.').waitFor();
  await visitor.goto('/');
  const examples = page.getByRole('radiogroup', { name: 'Operation' });
  await examples.waitFor();
  assert.equal(await examples.getByText('Metadata', { exact: true }).count(), 1);
  assert.equal(await examples.getByText('PDF', { exact: true }).count(), 0);
  assert.deepEqual(visitor.problems, []);
});
