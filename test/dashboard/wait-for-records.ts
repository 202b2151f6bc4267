/** Waits for what the service writes once a second, without a page: each load of one costs 0.4 s of CPU. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Visitor } from './open-dashboard.ts';
import { patientMs } from '../support/patience.ts';

const POLL_MS = 100;
const DEADLINE_MS = patientMs(20_000);

/** A month of an account's usage. */
export interface UsageMonth {
  requests: number;
  operations: { operation: string; requests: number }[];
}

/** Waits until the log of the visitor's account has the request. */
export async function waitForLog(visitor: Visitor, id: string): Promise<void> {
  await poll(async () => {
    const response = await visitor.context.request.get(`/account/requests/${id}`);
    return response.ok();
  }, 'the request is logged');
}

/** Waits until the usage of the visitor's account in this month is what `isCounted` looks for. */
export async function waitForUsage(
  visitor: Visitor,
  isCounted: (month: UsageMonth) => boolean,
): Promise<void> {
  await poll(async () => {
    const response = await visitor.context.request.get('/account/usage/months');
    const { months } = (await response.json()) as { months: UsageMonth[] };
    return months.some(isCounted);
  }, 'usage is counted');
}

async function poll(isDone: () => Promise<boolean>, what: string): Promise<void> {
  for (const deadline = Date.now() + DEADLINE_MS; !(await isDone()); await setTimeout(POLL_MS))
    assert.ok(Date.now() < deadline, what);
}
