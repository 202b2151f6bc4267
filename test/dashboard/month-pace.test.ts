import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  estimateLastDay,
  estimateMonth,
  formatMonthName,
  formatUtcDay,
} from '../../dashboard/src/components/month-pace.ts';

const use = (used: number) => ({
  month_start: '2026-11-01T00:00:00.000Z',
  resets_at: '2026-12-01T00:00:00.000Z',
  used,
});
const day = (number: number): number => Date.UTC(2026, 10, number);

describe('the pace of a month', () => {
  it('is the use so far, over the whole month', () => {
    assert.equal(estimateMonth(use(1_000), day(11)), 3_000);
    assert.equal(estimateMonth(use(0), day(11)), 0);
    assert.equal(estimateMonth(use(700), day(40)), 700, 'after the month');
  });

  it('is not known on the first day', () => {
    assert.equal(estimateMonth(use(500), day(2) - 1), null);
    assert.equal(estimateLastDay(use(500), 600, day(2) - 1), null);
  });

  it('says when the quota is used up, if that is before the month ends', () => {
    assert.equal(estimateLastDay(use(1_000), 2_000, day(11)), day(21));
    assert.equal(estimateLastDay(use(1_000), 3_000, day(11)), null);
    assert.equal(estimateLastDay(use(2_000), 2_000, day(11)), null, 'it is used up already');
  });

  it('names the month and its end in UTC', () => {
    assert.equal(formatMonthName(use(0)), 'November');
    assert.equal(formatUtcDay(use(0).resets_at), '1 December');
  });
});
