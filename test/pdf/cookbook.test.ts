/**
 * The recipes of the PDF cookbook: each command returns the PDF that its page describes. Also the programs of
 * README.md.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { COOKBOOK, cookRecipe, loadRecipes, type Recipe } from '../../scripts/pictures/recipes.ts';
import { linkClients, PROGRAMS, runSnippet } from '../dashboard/snippet-programs.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';
import { readPdf } from './support/read-pdf.ts';

/** The sheets of each recipe, in millimeters. */
const A4 = [210, 297];
const A5 = [148, 210];
const WIDE = [297, 210];
const SHEETS: Record<string, readonly (readonly number[])[]> = {
  invoice: [A4],
  'invoice-from-data': [A4],
  'e-invoice': [A4],
  report: Array.from({ length: 12 }, () => A4),
  certificate: [WIDE],
  label: [
    [100, 62],
    [100, 62],
  ],
  letter: [A4],
  charts: [A4],
  'header-footer': [A4, A4],
  watermark: [A4, A4],
  contract: [A4, WIDE, A5],
  'web-fonts': [A5],
  'page-breaks': [A5, A5, A5],
  'landscape-sheets': [A4, WIDE, A4],
  payslip: [[210, 148]],
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
      const { pages } = await readPdf(pdf, recipe.password);
      const sheets = pages.map(({ width, height }) =>
        [width, height].map((pt) => Math.round(pt * MM_PER_PT)),
      );
      assert.deepEqual(sheets, SHEETS[recipe.name], recipe.title);
    }),
  );
});

it('the TypeScript and the Python of README.md run as copied', async (t) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const key = await service.createKey();
  const programs = [
    ['ts', PROGRAMS.typescript, 'false ann@gmail.com'],
    ['python', PROGRAMS.python, 'False ann@gmail.com'],
  ] as const;
  for (const [language, program, printed] of programs) {
    const code = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? '';
    assert.ok(code.includes('http://127.0.0.1:3000'), language);
    if (typeof program === 'string') {
      t.diagnostic(program);
      continue;
    }
    const folder = await mkdtemp(join(tmpdir(), 'readme-'));
    await linkClients(folder);
    const output = await runSnippet(program, code.replace('http://127.0.0.1:3000', service.url), folder, key);
    assert.equal(output.trim(), printed);
    const { pages } = await readPdf(await readFile(join(folder, 'hello.pdf')));
    assert.match(pages[0]?.runs.map(({ text }) => text).join(' ') ?? '', /Hello.*Page 1 of 1/);
    await rm(folder, { recursive: true });
  }
});
