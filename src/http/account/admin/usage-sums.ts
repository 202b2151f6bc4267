/** Usage as sums by operation. */
import type { UsageSum } from '#usage';
import { type Static, Type } from 'typebox';
import { strict } from '../../schema.ts';

const sums = { requests: Type.Integer(), errors: Type.Integer() };

/** Requests and, among them, those with a status of 400 or above; also by operation, most requests first. */
export const usageSums = strict({
  ...sums,
  operations: Type.Array(strict({ operation: Type.String(), ...sums })),
});
export type UsageSums = Static<typeof usageSums>;

type Count = Pick<UsageSum, 'operation' | 'statusClass' | 'requests'>;

/** Returns whether requests of this status class failed. */
export function isErrorClass(statusClass: UsageSum['statusClass']): boolean {
  return statusClass !== '2xx' && statusClass !== '3xx';
}

/** Sums counts by operation. */
export function sumByName(counts: readonly Count[]): UsageSums {
  const total = { requests: 0, errors: 0 };
  const operations = new Map<string, UsageSums['operations'][number]>();
  for (const { operation, statusClass, requests } of counts) {
    let own = operations.get(operation);
    if (!own) operations.set(operation, (own = { operation, requests: 0, errors: 0 }));
    for (const sum of [total, own]) {
      sum.requests += requests;
      if (isErrorClass(statusClass)) sum.errors += requests;
    }
  }
  return { ...total, operations: [...operations.values()].toSorted((a, b) => b.requests - a.requests) };
}
