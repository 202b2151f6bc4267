import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { loadConfig } from '#config';
import { MAX_PDF_BODY_BYTES } from '#http';
import { type AccountShares, computeCapacities, computeShares, createShares } from '#limits';

const text = readFileSync(new URL('../docs/guides/limits.md', import.meta.url), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The row of docs/guides/limits.md with the figures of each share. */
const ROWS: Record<keyof AccountShares, RegExp> = {
  browserPages: /^Documents and pages rendered at once$/,
  emailRequests: /^Email validations in progress/,
  metadataRequests: /^Metadata requests in progress/,
  pdfRequests: /^PDF requests in progress/,
  otherRequests: /^Requests in progress of all operations/,
  pageConnections: /^Pages fetched at once$/,
  dnsLookups: /^DNS lookups/,
  parserThreads: /^Large bodies parsed at a time/,
  bodyBytes: /^Request bodies in flight$/,
};

const format = (kind: string, count: number | undefined): string => {
  if (count === undefined) return '';
  return kind === 'bodyBytes' ? `${Math.floor(count / 1e6)} MB` : count.toLocaleString('en');
};

it('docs/guides/limits.md states the capacities and shares of the default settings on 2 cores', () => {
  const capacities: Partial<AccountShares> = computeCapacities(loadConfig({ PDF_SLOTS: '4' }));
  const byDefault = computeShares({ slots: null }, capacities as AccountShares, MAX_PDF_BODY_BYTES);
  const withTwo = computeShares({ slots: 2 }, capacities as AccountShares, MAX_PDF_BODY_BYTES);
  for (const [kind, name] of Object.entries(ROWS) as [keyof AccountShares, RegExp][]) {
    const [, , process, , account, planned] = rows.find(([, first = '']) => name.test(first)) ?? [];
    assert.deepEqual(
      [process, account, planned],
      [capacities[kind], byDefault[kind], withTwo[kind]].map((count) => format(kind, count)),
      kind,
    );
  }
  assert.match(text, new RegExp(`one largest body stays free: ${MAX_PDF_BODY_BYTES / 1e6} MB`));
});

it('docs/guides/limits.md shows the error of a request over a share', () => {
  const [, example = ''] = /^## Over a share\n```json\n(.*)\n```$/m.exec(text) ?? [];
  const { error: code, message } = JSON.parse(example) as { error: string; message: string };
  const capacities = computeCapacities(loadConfig({ PDF_SLOTS: '4' }));
  const shares = createShares({ capacities, maxBodyBytes: MAX_PDF_BODY_BYTES, now: () => 0 });
  const holder = { accountId: 'a', slots: null };
  const fill = (): void => {
    for (;;) shares.take('pageConnections', holder, 1);
  };
  assert.throws(fill, { code, message });
});
