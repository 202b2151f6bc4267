/** The parts of shared components that need no browser. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileFunction } from 'node:vm';
import { computeScale } from '../../dashboard/src/components/chart-scale.ts';
import { findSimilarPath } from '../../dashboard/src/components/find-similar-path.ts';
import { findChangedSpan } from '../../dashboard/src/components/find-changed-span.ts';
import {
  formatBytes,
  formatDuration,
  formatLogTime,
  formatPercent,
  formatWhen,
} from '../../dashboard/src/components/format.ts';
import type { Call } from '../../dashboard/src/components/snippets.ts';
import { formatTypeScript } from '../../dashboard/src/components/snippets-typescript.ts';

it('an axis has round steps from 0, and its top is not below the highest value', () => {
  assert.deepEqual(computeScale(0), { top: 1, ticks: [0, 1] });
  assert.deepEqual(computeScale(9), { top: 10, ticks: [0, 5, 10] });
  assert.deepEqual(computeScale(1137), { top: 1500, ticks: [0, 500, 1000, 1500] });
  for (let highest = 1; highest < 5000; highest = Math.ceil(highest * 1.3)) {
    for (const most of [2, 4]) {
      const { top, ticks } = computeScale(highest, most);
      assert.ok(top >= highest && ticks.length <= most + 1, `${highest}: ${ticks.join(' ')}`);
    }
  }
});

it('a mistyped path finds the page that it means, and other paths find none', () => {
  const known = ['/', '/keys', '/usage', '/try/email', '/sign-in'];
  for (const [path, expected] of [
    ['/kyes', '/keys'],
    ['/Keyz', '/keys'],
    ['/sing-in', '/sign-in'],
    ['/try/emial', '/try/email'],
    ['/nothing', null],
    ['/ab', null],
  ] as const)
    assert.equal(findSimilarPath(path, known), expected, path);
});

it('the changed letters of an address are marked, and no others', () => {
  const mark = (text: string, original: string) => text.slice(...findChangedSpan(text, original));
  assert.equal(mark('ann@gmail.com', 'ann@gmial.com'), 'ai');
  assert.equal(mark('ann@gmail.com', 'ann@gmail.con'), 'm');
  assert.equal(mark('ann@gmail.com', 'ann@gmaill.com'), '');
  assert.equal(mark('ann@gmail.com', 'ann@gmal.com'), 'i');
  assert.equal(mark('same', 'same'), '');
});

it('numbers and times have one format', () => {
  assert.equal(formatDuration(37.6), '38 ms');
  assert.equal(formatDuration(999.6), '1.00 s');
  assert.equal(formatDuration(10_000), '10.00 s');
  assert.equal(formatPercent(0.33), '33.0%');
  assert.equal(formatBytes(999), '999 B');
  assert.equal(formatBytes(20_300), '20.3 kB');
  assert.equal(formatLogTime('2026-11-21T20:14:52.318Z'), '20:14:52.318');
  const now = Date.parse('2026-11-21T12:00:00Z');
  assert.equal(formatWhen('2026-11-21T11:59:58Z', now), '2 s ago');
  assert.equal(formatWhen('2026-11-21T11:01:00Z', now), '59 min ago');
  assert.equal(formatWhen('2026-11-19T11:00:00Z', now), '19 Nov');
  assert.equal(formatWhen('2025-11-19T11:00:00Z', now), '19 Nov 2025');
});

describe('the TypeScript snippet', () => {
  const HARD = `a'b"c\\d\`e\${f}\n\t</script> é😀`;
  const CALLS: Call[] = [
    { operation: 'validateEmail', members: { email: HARD } },
    { operation: 'getMetadata', members: { url: HARD, timeout: 5000, details: true } },
    { operation: 'generatePdf', members: { html: HARD, page_size: 'A5', scale: 0.5 } },
  ];
  for (const call of CALLS) {
    it(`calls ${call.operation} of the client with exactly the given values`, async () => {
      const seen: unknown[] = [];
      class UtilityApi {
        constructor(options: { baseUrl: string }) {
          seen.push(options.baseUrl);
        }
        validateEmail = async (email: string, more = {}) => (seen.push({ email, ...more }), {});
        getMetadata = async (url: string, more = {}) => (seen.push({ url, ...more }), {});
        generatePdf = async (members: object) => (seen.push(members), {});
      }
      const code = formatTypeScript(call, 'http://127.0.0.1:3000').replaceAll(/^import .*$/gm, '');
      const program = compileFunction(
        `return (async () => { ${code}
})()`,
        ['UtilityApi', 'writeFile', 'console'],
      ) as (...names: unknown[]) => Promise<void>;
      await program(UtilityApi, async () => {}, { log: () => {} });
      assert.deepEqual(seen, ['http://127.0.0.1:3000', call.members]);
    });
  }
});
