/** Calls of replicas by tests that break their engines. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Replica } from './cluster.ts';
import { isFullRun } from './sample.ts';
import { patientMs } from './patience.ts';

/** The pause of a caller: most of the CPU time of these tests is that of the calls. */
const PAUSE_MS = isFullRun ? 10 : 60;

export interface Call {
  status: number;
  ms: number;
  retryAfter: string | null;
}

/** Validates an address on a replica with this key. */
export async function callReplica({ url }: Pick<Replica, 'url'>, key: string): Promise<Call> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1/email/validate?email=a@b.invalid`, {
    headers: { 'x-api-key': key },
  });
  await response.text();
  const ms = performance.now() - startedAt;
  return { status: response.status, ms, retryAfter: response.headers.get('retry-after') };
}

/** Calls every replica with this key, one call after the other, for this time. */
export async function callForMs(replicas: readonly Replica[], key: string, ms: number): Promise<Call[]> {
  const until = performance.now() + ms;
  const calls = replicas.map(async (replica) => {
    const own: Call[] = [];
    for (; performance.now() < until; await delay(PAUSE_MS)) own.push(await callReplica(replica, key));
    return own;
  });
  return (await Promise.all(calls)).flat();
}

/** Returns the state of a part that /readyz reports, and its status. */
export async function loadPart(
  { url }: Replica,
  name: string,
): Promise<{ status: number; ok: boolean | undefined }> {
  const response = await fetch(`${url}/readyz`);
  const { parts } = (await response.json()) as { parts: Record<string, { ok: boolean }> };
  return { status: response.status, ok: parts[name]?.ok };
}

/** Returns how many replicas this one counts by their heartbeats. */
export async function countReplicas({ url }: Replica): Promise<number> {
  const response = await fetch(`${url}/readyz`);
  const { parts } = (await response.json()) as { parts: { redis: { replicas: number } } };
  return parts.redis.replicas;
}

/** Returns the time until the check holds, in milliseconds. Throws after a long time. */
export async function measureUntil(check: () => Promise<boolean>): Promise<number> {
  for (const startedAt = performance.now(); ; await delay(20)) {
    const isDone = await check();
    const ms = performance.now() - startedAt;
    if (isDone) return ms;
    if (ms > patientMs(30_000)) throw new Error(`it does not come within ${ms} ms`);
  }
}

/** Formats the median and the largest time of calls. */
export function formatTimes(calls: readonly Call[]): string {
  const sorted = calls.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const format = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  return `${sorted.length} calls, median ${format(0.5)} ms, p99 ${format(0.99)} ms, longest ${format(1)} ms`;
}
