/** The workbench for PDFs: its options print what they say, and the pages of the result are shown. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { OptionRow } from '#options';
import { PDF_OPTIONS } from '#pdf/request';
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

it('the form shows each option that has a control once, and sends it under its name', async () => {
  await using dashboard = await openDashboard();
  const visitor = await dashboard.newVisitor();
  await openSession(visitor);
  await createKey(visitor);
  const { page } = visitor;
  const sent = new Promise<Record<string, unknown>>((resolve) => {
    void page.route('**/account/try/generatePdf?*', async (route) => {
      resolve(route.request().postDataJSON() as Record<string, unknown>);
      await route.fulfill({ status: 503, body: '{}' });
    });
  });
  await visitor.goto('/try/pdf');
  const rows = Object.entries<OptionRow>(PDF_OPTIONS);
  const inDrawer = rows.filter(([, { control }]) => control?.group !== undefined);
  const others = rows.filter(([, { control }]) => control !== undefined && control.group === undefined);
  const labels = new Set<string>();
  for (const [name, row] of others) {
    const label = row.control?.label ?? name;
    if (!labels.has(label)) await fill(page, label, row);
    labels.add(label);
  }
  const editors = others
    .filter(([, { control }]) => control?.editor)
    .map(([, { control }]) => control?.label);
  assert.deepEqual(await page.getByRole('tablist').getByRole('tab').allTextContents(), editors);
  await page.getByRole('button', { name: /^More options/ }).click();
  const drawer = page.getByRole('dialog');
  for (const [name, row] of inDrawer) await fill(drawer, row.control?.label ?? name, row);
  const groups = new Set(inDrawer.map(([, { control }]) => control?.group ?? ''));
  const headings = await drawer.getByRole('heading', { level: 3 }).allTextContents();
  assert.deepEqual(headings.toSorted(), [...groups].toSorted());
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Render' }).click();
  // page_width and page_height take the place of page_size.
  const names = rows.filter(([, { control }]) => control !== undefined).map(([name]) => name);
  assert.deepEqual(
    Object.keys(await sent).toSorted(),
    names.filter((name) => name !== 'page_size').toSorted(),
  );
  const { scale, more_documents, facturx, print_background } = await sent;
  assert.deepEqual(
    { scale, more_documents, facturx, print_background },
    {
      scale: 0.8,
      more_documents: [{ html: '<p>' }],
      facturx: { xml: PDF_OPTIONS.facturx.members.table.xml.example, profile: 'EN 16931' },
      print_background: false,
    },
  );
});

/** Gives an option another value than its default, in the only control with its label. */
async function fill(form: Page | Locator, label: string, row: OptionRow): Promise<void> {
  const { control, type, members } = row;
  const values = row.enum ?? row.items?.enum;
  if (control?.list === 'documents') {
    await form.getByRole('button', { name: 'Add a document' }).click();
    return form.getByLabel('Document 2', { exact: true }).fill('<p>');
  }
  if (control?.list === 'files') {
    assert.equal(await form.getByRole('button', { name: label }).count(), 1);
    const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a') };
    return form.locator('input[type=file]').setInputFiles(file);
  }
  if (members) {
    for (const [name, member] of Object.entries<OptionRow>(members.table))
      await fill(form, member.control?.label ?? name, member);
    return;
  }
  if (control?.editor) await form.getByRole('tab', { name: label, exact: true }).click();
  // The list of a choice has the label of its field, and the views of a phone are named as tabs.
  const inputs = form.locator('input:not([type=radio]), textarea, [role=group]');
  const field = form.getByLabel(label, { exact: true }).and(inputs);
  await field.first().waitFor();
  const found = await field.count();
  assert.equal(found, 1, `${label} is shown ${found} times`);
  if (type === 'boolean' || (type === 'string' && values?.length === 1))
    return form.getByRole('switch', { name: label, exact: true }).setChecked(row.default !== true);
  if (type === 'array' && values) {
    const [first = ''] = values;
    return form.getByLabel(control?.labels?.[first] ?? first, { exact: true }).click();
  }
  if (values) {
    const value = values.findLast((one) => one !== row.default) ?? '';
    // Its default is an example that is as good as any other.
    if (row.required) return;
    await field.click();
    const text = control?.labels?.[value] ?? value;
    const page = 'page' in form ? form.page() : form;
    return page.getByRole('option', { name: text, exact: true }).click();
  }
  const text = typeof row.example === 'string' ? row.example : JSON.stringify(row.example);
  return field.fill(text === '' ? '<p>' : text);
}
