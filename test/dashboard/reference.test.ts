/** The API reference as the service serves it: its code samples run as copied, and its guides. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { ERRORS } from '#errors';
import { GUIDES } from '../../src/http/dashboard.ts';
import { type ExampleSite, openExampleSite } from '../openapi/example-site.ts';
import { type DescribedOperation, openDocument } from '../openapi/open-document.ts';
import { sample } from '../support/sample.ts';
import { WITH_BROWSER } from '../support/start-app.ts';
import { type Dashboard, openDashboard } from './open-dashboard.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../docs/guides', import.meta.url));

/** The program that runs a sample, by its label. */
const PROGRAMS: Record<string, [command: string, ...flags: string[]]> = {
  curl: ['sh', '-c'],
  JavaScript: [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
};

/** A sample that the page shows. */
interface Sample {
  operationId: string;
  label: string;
  code: string;
}

let site: ExampleSite;
let dashboard: Dashboard;
let operations: DescribedOperation[] = [];
before(async () => {
  site = await openExampleSite();
  dashboard = await openDashboard({ ...WITH_BROWSER, ...site.settings });
  operations = await openDocument();
});
after(async () => {
  await dashboard[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Reads each sample of each operation from the page, language by language. */
async function readSamples(): Promise<Sample[]> {
  const { page, goto } = await dashboard.newVisitor();
  await goto('/reference');
  const samples: Sample[] = [];
  for (const { operationId, path } of operations) {
    const card = page.locator('.request-card').filter({ has: page.getByText(path, { exact: true }) });
    // Scalar renders an operation when the reader comes near it.
    while ((await card.count()) === 0) await page.mouse.wheel(0, 2_000);
    const picker = card.getByTestId('client-picker');
    const options = page.getByRole('option');
    await picker.dispatchEvent('click');
    await options.first().waitFor();
    const labels = (await options.allInnerTexts()).map((label) => label.trim());
    assert.deepEqual(labels, Object.keys(PROGRAMS), `the languages of ${operationId}`);
    for (const label of labels) {
      if ((await options.count()) === 0) await picker.dispatchEvent('click');
      await options.filter({ hasText: label }).dispatchEvent('click');
      await picker.filter({ hasText: label }).waitFor();
      samples.push({ operationId, label, code: (await card.locator('pre code').textContent()) ?? '' });
    }
  }
  return samples;
}

function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`]);
    return true;
  } catch {
    return false;
  }
}

it('each code sample of the reference runs as copied', async (t) => {
  const key = await dashboard.service.createKey();
  const samples = await readSamples();
  assert.equal(samples.length, operations.length * Object.keys(PROGRAMS).length);
  for (const { operationId, label, code } of samples)
    assert.doesNotMatch(
      code,
      /[?&]\w+=(?:&|'|$)|": ""/m,
      `a field without a value: ${label}, ${operationId}`,
    );
  const programs = new Set(['curl', 'python3', process.execPath].filter(hasProgram));
  // Two operations in each language, unless TEST_FULL=1.
  await Promise.all(
    sample(samples, 3, ({ label }) => label).map(async ({ operationId, label, code }) => {
      const name = `${label} of ${operationId}`;
      const [command, ...flags] = PROGRAMS[label] ?? ['', ''];
      if (!programs.has(label === 'curl' ? 'curl' : command)) return t.diagnostic(`${command} is missing`);
      if (operationId.startsWith('getMetadata') && !site.isPageServed) return t.diagnostic('no port 443');
      const cwd = await mkdtemp(join(tmpdir(), 'sample-'));
      const env = { ...process.env, UTILITY_API_KEY: key };
      const { stdout } = await run(command, [...flags, code], { cwd, env });
      await checkOutput({ name, operationId, output: stdout, isJson: label !== 'JavaScript' }, cwd);
      await rm(cwd, { recursive: true });
    }),
  );
});

interface SampleRun {
  name: string;
  operationId: string;
  output: string;
  /** False if the sample logs the value, as Node formats it. */
  isJson: boolean;
}

/** Checks that a sample got the example response: on its output, or as a PDF in its file. */
async function checkOutput({ name, operationId, output, isJson }: SampleRun, folder: string): Promise<void> {
  const [file] = await readdir(folder);
  if (operationId === 'generatePdf') {
    assert.ok(file, `${name} writes no file`);
    return assert.ok((await readFile(join(folder, file), 'latin1')).startsWith('%PDF-'), name);
  }
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  const [example] = Object.values(operation?.responses['200']?.content['application/json']?.examples ?? {});
  assert.ok(example, name);
  if (isJson) assert.deepEqual(JSON.parse(output), example.value, name);
  else assert.equal(output, `${inspect(example.value)}\n`, name);
}

it('each link of the front door, the sign-in and the reference, as drawn, resolves', async () => {
  const { page, goto, origin } = await dashboard.newVisitor();
  const links = new Set<string>();
  for (const path of ['/', '/sign-in', '/reference']) {
    await goto(path);
    const anchors = page.locator('a[href]');
    await anchors.first().waitFor();
    const found = await anchors.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const link of found) links.add(link);
  }
  const internal = [...links].filter((link) => link.startsWith(`${origin}/`));
  assert.ok(internal.length > 5, [...links].join(' '));
  for (const link of links) if (!internal.includes(link)) assert.match(link, /^(?:https:\/\/|mailto:)/, link);
  for (const link of internal) assert.equal((await fetch(link)).status, 200, link);
});

it('each guide of docs/guides is served, linked and without script of its own', async () => {
  const files = (await readdir(FOLDER)).map((file) => file.replace(/\.md$/, ''));
  assert.deepEqual(files.toSorted(), [...GUIDES].toSorted());
  const reference = await (await dashboard.service.call('/reference')).text();
  for (const guide of GUIDES) {
    const response = await dashboard.service.call(`/reference/${guide}`);
    const html = await response.text();
    assert.equal(response.status, 200, guide);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.doesNotMatch(response.headers.get('content-security-policy') ?? '', /unsafe/);
    assert.match(html, /<h1 id="[a-z-]+">/);
    assert.match(html, new RegExp(`<a href="/reference/${guide}" aria-current="page">`));
    assert.doesNotMatch(html, /<!-- (?:guide|reference)|<script(?![^>]* src=)/);
    assert.ok(reference.includes(`<a href="/reference/${guide}">`), `the reference links ${guide}`);
  }
  assert.equal((await dashboard.service.call('/reference/nothing')).status, 404);
});

it('the samples of the guides have the address of the service', async () => {
  const { service } = dashboard;
  const html = await (await service.call('/reference/getting-started')).text();
  assert.ok(html.includes(`export UTILITY_API_URL=${service.url}\n`));
  assert.doesNotMatch(html, /127\.0\.0\.1:3000/);
});

it('the guide to errors has each error, at the place that the type of a problem names', async () => {
  const html = await (await dashboard.service.call('/reference/errors')).text();
  for (const [code, { status }] of Object.entries(ERRORS))
    assert.ok(html.includes(`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td>`), code);
});
