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
import { COOKBOOK, cookRecipe, loadRecipes, type Recipe } from '../../../scripts/pictures/recipes.ts';
import { linkClients, PROGRAMS, runSnippet } from '../../dashboard/snippet-programs.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../../support/start-app.ts';
import { paintPdf, readPdf, type Picture } from '../support/read-pdf.ts';

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
const INK_DPI = 100;
const AT_A_TIME = 2;

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
    assert.ok(existsSync(join(COOKBOOK, '../pictures', picture)), `${picture}: npm run docs -- pictures`);
});

it('each command of the cookbook returns the sheets that its page shows', async (t) => {
  try {
    execFileSync('sh', ['-c', 'command -v curl && command -v jq']);
  } catch {
    return t.skip('curl or jq is missing');
  }
  const key = await service.createKey();
  // A few at a time: a document has ten seconds, also where others take the CPU.
  const waiting = [...recipes];
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (let recipe = waiting.shift(); recipe !== undefined; recipe = waiting.shift()) {
        const { pdf, warnings } = await cookRecipe(recipe, service.url, key);
        assert.equal(warnings, 0, recipe.title);
        const { pages } = await readPdf(pdf, recipe.password);
        const sheets = pages.map(({ width, height }) =>
          [width, height].map((pt) => Math.round(pt * MM_PER_PT)),
        );
        assert.deepEqual(sheets, SHEETS[recipe.name], recipe.title);
      }
    }),
  );
});

it('the watermarks of the cookbook stand in the middle of the sheet', async () => {
  const readme = await readFile(join(COOKBOOK, 'README.md'), 'utf8');
  const watermarks = [...readme.matchAll(/watermark_html: ("(?:[^"\\]|\\.)*")/g)];
  const key = await service.createKey();
  for (const [, json = ''] of watermarks) {
    const body = { html: '<p>', watermark_html: JSON.parse(json) as string };
    const response = await fetch(`${service.url}/v1/pdf/generate`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const [picture] = await paintPdf(new Uint8Array(await response.arrayBuffer()), INK_DPI);
    const [x, y] = picture ? findInkOffsetMm(picture) : [];
    assert.ok(Math.abs(x ?? 9) < 0.5 && Math.abs(y ?? 9) < 0.5, `${x} mm, ${y} mm: ${json}`);
  }
  assert.equal(watermarks.length, 2);
});

/** Returns the distance from the middle of a page to that of what is printed on it, in millimeters. */
function findInkOffsetMm({ width, height, data }: Picture): number[] {
  const inked = Array.from({ length: width * height }, (_, at) => at).filter(
    (at) => (data[at * 4] ?? 255) < 250,
  );
  const toOffset = (values: number[], size: number): number => {
    const [first = 0, last = 0] = [values[0], values.at(-1)];
    return (((first + last + 1) / 2 - size / 2) / INK_DPI) * 25.4;
  };
  const columns = inked.map((at) => at % width).sort((one, other) => one - other);
  return [
    toOffset(columns, width),
    toOffset(
      inked.map((at) => Math.floor(at / width)),
      height,
    ),
  ];
}

it('the TypeScript and the Python of README.md run as copied', async (t) => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
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
