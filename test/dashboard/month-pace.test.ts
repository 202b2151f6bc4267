import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeQuota,
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

  it('is worth a notice from 80% of the quota, and when it is used up', () => {
    assert.equal(describeQuota(use(799), 1_000, day(21)), null);
    assert.equal(describeQuota(use(2_000), null, day(21)), null, 'no quota');
    assert.deepEqual(describeQuota(use(800), 1_000, day(21)), {
      isUsedUp: false,
      text: '80.0% of the 1,000 requests of November are used. They last until 26 November at this pace.',
    });
    assert.deepEqual(describeQuota(use(900), 1_000, day(29)), {
      isUsedUp: false,
      text: '90.0% of the 1,000 requests of November are used. They last until 1 December, 00:00 UTC at this pace.',
    });
    assert.deepEqual(describeQuota(use(1_000), 1_000, day(21)), {
      isUsedUp: true,
      text: 'All 1,000 requests of November are used. More are refused until 1 December, 00:00 UTC.',
    });
  });
});
