/** The recipes of the PDF cookbook: each command returns the PDF that its page describes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { COOKBOOK, cookRecipe, loadRecipes, type Recipe } from '../../scripts/pictures/recipes.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';
import { readPdf } from './support/read-pdf.ts';

/** The sheets of each recipe, in millimeters. */
const A4 = [210, 297];
const A5 = [148, 210];
const WIDE = [297, 210];
const SHEETS: Record<string, readonly (readonly number[])[]> = {
  invoice: [A4],
  report: [A4, A4, A4, A4, A4],
  certificate: [WIDE],
  label: [
    [100, 62],
    [100, 62],
  ],
  letter: [A4],
  charts: [A4],
  'header-footer': [A4, A4],
  'web-fonts': [A5],
  'page-breaks': [A5, A5, A5],
  'landscape-sheets': [A4, WIDE, A4],
};

const MM_PER_PT = 25.4 / 72;

let service: TestApp;
let recipes: Recipe[] = [];
before(async () => {
  service = await startApp(WITH_BROWSER);
  recipes = await loadRecipes();
});
after(() => service[Symbol.asyncDispose]());

it('each document of the cookbook has a recipe with its picture', async () => {
  const files = (await readdir(COOKBOOK)).filter((file) => file.endsWith('.html'));
  assert.deepEqual(recipes.map(({ name }) => `${name}.html`).toSorted(), files.toSorted());
  assert.deepEqual(
    Object.keys(SHEETS),
    recipes.map(({ name }) => name),
  );
  for (const { picture } of recipes)
    assert.ok(existsSync(join(COOKBOOK, '../pictures', picture)), `${picture}: npm run docs:pictures`);
});

it('each command of the cookbook returns the sheets that its page shows', async (t) => {
  try {
    execFileSync('sh', ['-c', 'command -v curl && command -v jq']);
  } catch {
    return t.skip('curl or jq is missing');
  }
  const key = await service.createKey();
  await Promise.all(
    recipes.map(async (recipe) => {
      const { pdf, warnings } = await cookRecipe(recipe, service.url, key);
      assert.equal(warnings, 0, recipe.title);
      const { pages } = await readPdf(pdf);
      const sheets = pages.map(({ width, height }) =>
        [width, height].map((pt) => Math.round(pt * MM_PER_PT)),
      );
      assert.deepEqual(sheets, SHEETS[recipe.name], recipe.title);
    }),
  );
});
