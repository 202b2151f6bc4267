import type { Plan } from '#accounts';
import { computeShares, type ShareCapacities } from '#shares';
import { MAX_PDF_BODY_BYTES } from '../routes/pdf-body.ts';

/** A plan as the dashboard shows it: the limit of each key, and what an account may use at once in each process. */
export function toPlanJson(plan: Plan, capacities: ShareCapacities) {
  const shares = computeShares(plan, capacities, MAX_PDF_BODY_BYTES);
  return {
    limit_per_minute: plan.limitPerMinute,
    shares: {
      browser_slots: shares.browserPages,
      other_requests: shares.otherRequests,
      page_connections: shares.pageConnections,
      body_megabytes: Math.floor(shares.bodyBytes / 1_000_000),
    },
  };
}
