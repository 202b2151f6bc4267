import type { UsageRange } from './usage-ranges.ts';
import type { Grouping } from './usage-series.ts';

/** The selection of the page, which is part of its URL. */
export interface UsageSelection {
  range: UsageRange;
  grouping: Grouping;
  keyId: string | undefined;
  operation: string | undefined;
}
