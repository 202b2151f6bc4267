import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureCpuMs } from '../../../test/support/cpu-time.ts';
import { FontCoverage } from './font-coverage.ts';

void describe('FontCoverage', () => {
  void it('finds characters of the text, of references and escapes, and of text transformations', () => {
    const uses = (html: string, range: string): boolean => new FontCoverage(html).mayUse(range);
    assert.equal(uses('abc', 'U+0400-04FF'), false);
    assert.equal(uses('abc', 'U+0400-04FF, u+63'), true);
    assert.equal(uses('abc', 'U+6?'), true);
    assert.equal(uses('abc', 'U+7?'), false);
    assert.equal(uses('Ж', 'U+0416'), true);
    assert.equal(uses('ж', 'U+0416'), true, 'text-transform');
    assert.equal(uses('&#1046;', 'U+0416'), true);
    assert.equal(uses('<style>b::before{content:"\\416"}</style>', 'U+0416'), true);
    assert.equal(uses('😀', 'U+1F600'), true);
    assert.equal(uses('abc', 'U+2022'), true, 'list markers');
    assert.equal(uses('abc', 'nonsense'), true);
  });

  void it('takes a short time for any list of ranges', () => {
    const coverage = new FontCoverage('é'.repeat(200_000));
    const ranges = Array.from({ length: 100_000 }, () => 'U+20000-10FFFF').join(',');
    coverage.mayUse('U+0');
    assert.equal(coverage.mayUse(ranges), true);
    const ms = measureCpuMs(() => coverage.mayUse(Array(255).fill('U+20000-10FFFF').join(',')));
    assert.ok(ms < 20, `${ms} ms`);
  });
});
