/** The documents on which two versions of the service are compared. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import { installLibraries } from '../../test/pdf/fixtures/install-libraries.ts';
import { serveInvoice } from './invoice-with-resources.ts';
import type { Job, SentFile } from './version-process.ts';

/** A document, and how one turn renders it. */
export interface VersionCase extends Job {
  /** Puppeteer is measured with it too. */
  withPeer?: true;
}

const BASE = { callers: 4, keys: 1, pauseMs: 0, files: {} };

/** Adds a row of sums with a script, as templates in the browser do. */
export const scriptedInvoice = (): string =>
  `${invoice()}<script>
  const totals = [...document.querySelectorAll('td:last-child')].map((cell) => Number(cell.textContent.replace(/[^0-9.]/g, '')));
  const sum = document.createElement('p');
  sum.textContent = 'Sum: ' + totals.reduce((one, other) => one + other, 0).toFixed(2);
  setTimeout(() => document.body.append(sum), 20);
</script>`;

/** Returns a report with three charts, which contains the library that draws them. */
export async function chartReport(): Promise<string> {
  const path = join(await installLibraries(), 'chart.js/dist/chart.umd.min.js');
  const script = (await readFile(path, 'utf8')).replaceAll('</script', '<\\/script');
  const charts = ['bar', 'line', 'doughnut'].map(
    (type) => `<div style="width:480px"><canvas id="${type}"></canvas></div>
<script>new Chart('${type}', { type: '${type}', data: { labels: ['Q1', 'Q2', 'Q3', 'Q4'], datasets: [{ label: 'Sales', data: [3, 1, 4, 2] }] } })</script>`,
  );
  return `<!doctype html><title>Report</title><h1>Report</h1><script>${script}</script>${charts.join('\n')}`;
}

/** Returns the cases by name. */
export async function createVersionCases(): Promise<Record<string, VersionCase>> {
  const scripted = scriptedInvoice();
  const site = await serveInvoice();
  site.close();
  const { html } = site.document;
  const files: Record<string, SentFile> = {};
  for (const path of ['/invoice.css', '/inter.woff2', '/logo.png']) {
    const [type, body] = site.find(new URL(path, 'http://site.example').href) ?? [];
    if (type !== undefined && body !== undefined) files[path] = [type, Buffer.from(body).toString('base64')];
  }
  return {
    'static line, 3 callers': { ...BASE, html: '<p>Hello, world.</p>', callers: 3, count: 400 },
    'static invoice, 3 callers': { ...BASE, html: invoice(), callers: 3, count: 200 },
    'invoice with resources, 3 callers': { ...BASE, html, files, callers: 3, count: 60 },
    'scripted invoice, 4 callers': { ...BASE, html: scripted, count: 32, withPeer: true },
    'the same, 4 keys': { ...BASE, html: scripted, keys: 4, count: 32 },
    'the same, 1 caller': { ...BASE, html: scripted, callers: 1, count: 16 },
    'Chart.js report, 4 callers': { ...BASE, html: await chartReport(), count: 24 },
    'first scripted of a new key': {
      ...BASE,
      html: scripted,
      keys: null,
      callers: 1,
      count: 8,
      pauseMs: 300,
    },
  };
}
