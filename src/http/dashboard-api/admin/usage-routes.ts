import { setImmediate } from 'node:timers/promises';
import { ApiError } from '#errors';
import { BUCKET_MS, computeTotals, floorToBucket, isFailed, type AccountUsage } from '#usage';
import { type Static, Type } from 'typebox';
import { createQueryParser } from '../../query.ts';
import { choice, nullable, strict } from '../../schema.ts';
import type { AccountDeps } from '../account-deps.ts';
import { formatTime } from '../account-json.ts';
import type { AccountScope } from '../account-scope.ts';
import { parseTime, text } from '../parse-input.ts';
import { sumByOperation, usageRow } from '../usage-table.ts';
import { ADMINISTRATORS } from '../guard-request.ts';

/** The most buckets of a response: 90 days, or a week by hour. Each is one query over all accounts. */
const MAX_BUCKETS = 168;
/** The default range: as many days or hours. */
const DEFAULT_BUCKETS = { day: 30, hour: 24 } as const;
const TOP_ACCOUNTS = 20;

const sums = { requests: Type.Integer(), errors: Type.Integer() };

/** Totals as JSON: errors are requests with a status of 400 or above. */
export const usageTotals = strict({
  ...sums,
  operations: Type.Array(strict({ operation: Type.String(), ...sums })),
});

const topAccount = strict({
  id: Type.String(),
  email: nullable('string'),
  plan: nullable('string'),
  ...sums,
});

const allUsage = strict({
  bucket: Type.Enum(['hour', 'day']),
  from: Type.String(),
  to: Type.String(),
  rows: Type.Array(usageRow),
  totals: usageTotals,
  /** The number of accounts with a request in the range. */
  accounts: Type.Integer(),
  top_accounts: Type.Array(topAccount),
});

const parseQuery = createQueryParser(
  strict({
    from: Type.Optional(text(40)),
    to: Type.Optional(text(40)),
    bucket: Type.Optional(choice(['hour', 'day'])),
  }),
  { skipsEmpty: true },
);

/** Adds the endpoint of the usage of all accounts together, and of those with the most requests. */
export function routeAllUsage(scope: AccountScope, deps: AccountDeps): void {
  scope.get('/admin/usage', {
    config: ADMINISTRATORS,
    schema: { response: { 200: allUsage } },
    handler: async (request) => {
      const { bucket = 'day', from, to } = parseQuery(request.raw.url ?? '');
      return loadAllUsage(deps, bucket, parseRange(bucket, from, to, deps.now()));
    },
  });
}

interface Range {
  fromMs: number;
  toMs: number;
}

function parseRange(
  bucket: 'hour' | 'day',
  from: string | undefined,
  to: string | undefined,
  nowMs: number,
): Range {
  const toMs = to === undefined ? nowMs + 1 : parseTime(to, 'to');
  const defaultMs = toMs - 1 - (DEFAULT_BUCKETS[bucket] - 1) * BUCKET_MS[bucket];
  const fromMs = floorToBucket(from === undefined ? defaultMs : parseTime(from, 'from'), bucket);
  if (fromMs >= toMs) throw new ApiError('invalid_parameter', 'from must be before to.', { param: 'from' });
  if ((toMs - fromMs) / BUCKET_MS[bucket] > MAX_BUCKETS)
    throw new ApiError(
      'invalid_parameter',
      `The range has more than ${MAX_BUCKETS} ${bucket}s: take a shorter one or a larger bucket.`,
      { param: 'from' },
    );
  return { fromMs, toMs };
}

async function loadAllUsage(
  deps: AccountDeps,
  bucket: 'hour' | 'day',
  { fromMs, toMs }: Range,
): Promise<Static<typeof allUsage>> {
  const counts: (Omit<AccountUsage, 'accountId'> & { bucketStartMs: number })[] = [];
  const accounts = new Map<string, { requests: number; errors: number }>();
  // One query per bucket, each in a turn of its own: all of them in one turn could block the event loop.
  for (let startMs = fromMs; startMs < toMs; startMs += BUCKET_MS[bucket], await setImmediate()) {
    const sums = new Map<string, (typeof counts)[number]>();
    for (const { accountId, operation, statusClass, requests } of await deps.usage.sumAccounts(
      bucket,
      startMs,
    )) {
      const name = `${operation} ${statusClass}`;
      const sum = sums.get(name) ?? { operation, statusClass, bucketStartMs: startMs, requests: 0 };
      sum.requests += requests;
      sums.set(name, sum);
      const own = accounts.get(accountId) ?? { requests: 0, errors: 0 };
      own.requests += requests;
      if (isFailed(statusClass)) own.errors += requests;
      accounts.set(accountId, own);
    }
    counts.push(...sums.values());
  }
  return {
    bucket,
    from: formatTime(fromMs),
    to: formatTime(toMs),
    rows: sumByOperation(counts),
    totals: computeTotals(counts),
    accounts: accounts.size,
    top_accounts: await describeTop(deps, accounts),
  };
}

/** Returns the accounts with the most requests. An account that is being deleted has no email address. */
async function describeTop(
  { accounts }: AccountDeps,
  sums: ReadonlyMap<string, { requests: number; errors: number }>,
): Promise<Static<typeof topAccount>[]> {
  const top = [...sums].toSorted(([, a], [, b]) => b.requests - a.requests).slice(0, TOP_ACCOUNTS);
  return Promise.all(
    top.map(async ([id, sum]) => {
      const account = await accounts.findAccount(id);
      return { id, email: account?.email ?? null, plan: account?.plan ?? null, ...sum };
    }),
  );
}
