import { MAX_RSS_MB, MIN_SUCCESS } from '../../test/attacks/support/bounds.ts';
import type { Attack } from '../../test/attacks/support/attack.ts';
import type { AttackReport } from '../../test/attacks/support/play-attack.ts';
import { type Kind, KINDS } from '../../test/attacks/support/call-kinds.ts';
import type { CallFigures } from '../../test/attacks/support/good-caller.ts';

/**
 * A p99 beside an attack may be this many times the p99 alone, or the floor of its kind, whichever is larger.
 */
const MAX_RATIO = 3;
const FLOOR_MS: Record<Kind, number> = {
  health: 50,
  email: 50,
  lookup: 50,
  metadata: 50,
  pdf: 1000,
  largePdf: 1000,
};

export interface KindVerdict {
  kind: Kind;
  sent: number;
  success: number;
  p50AloneMs: number;
  p50Ms: number;
  p99AloneMs: number;
  p99Ms: number;
  boundMs: number;
  failures: Record<string, number>;
}

export interface Verdict {
  kinds: KindVerdict[];
  /** The exceeded bounds, in words; empty if the attack harmed no other caller. */
  excesses: string[];
}

/** Returns the smallest value that at least this share of the values do not exceed; 0 if there are none. */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

/** A document takes 10 to 100 ms alone. A bound below this would measure the scheduler of two busy cores. */
const FLOOR_OF_RATIO_MS = 250;

function computeBoundMs({ maxRatio }: Attack, kind: Kind, p99AloneMs: number): number {
  if (maxRatio === undefined) return Math.max(MAX_RATIO * p99AloneMs, FLOOR_MS[kind]);
  return Math.max(maxRatio * p99AloneMs, Math.min(FLOOR_MS[kind], FLOOR_OF_RATIO_MS));
}

const countFailures = ({ failures }: CallFigures): number =>
  Object.values(failures).reduce((sum, count) => sum + count, 0);

export const computeSuccess = (figures: CallFigures): number =>
  figures.latencies.length / Math.max(1, figures.latencies.length + countFailures(figures));

/**
 * Compares what was measured with the bounds. `factor` multiplies the bounds on time, for a machine that is
 * shared with other work.
 */
export function judgeAttack(report: AttackReport, factor: number): Verdict {
  const { attack, alone, beside, meter, isAlive } = report;
  const kinds = KINDS.map((kind): KindVerdict => {
    const aloneMs = alone?.[kind].latencies ?? [];
    const { latencies } = beside[kind];
    const p99AloneMs = computeQuantile(aloneMs, 0.99);
    return {
      kind,
      sent: latencies.length + countFailures(beside[kind]),
      success: computeSuccess(beside[kind]),
      p99AloneMs,
      p50AloneMs: computeQuantile(aloneMs, 0.5),
      p50Ms: computeQuantile(latencies, 0.5),
      p99Ms: computeQuantile(latencies, 0.99),
      boundMs: factor * computeBoundMs(attack, kind, p99AloneMs),
      failures: beside[kind].failures,
    };
  });
  const excesses = kinds.flatMap(({ kind, success, p99Ms, boundMs }) => [
    ...(success < MIN_SUCCESS ? [`${kind} success ${(success * 100).toFixed(1)}%`] : []),
    ...(p99Ms > boundMs ? [`${kind} p99 ${p99Ms.toFixed(0)} ms`] : []),
  ]);
  const maxTurnMs = attack.maxTurnMs * factor;
  if (!isAlive) excesses.push('the service ended');
  if (meter && meter.turnMs > maxTurnMs) excesses.push(`turn ${meter.turnMs.toFixed(0)} ms`);
  if (meter && meter.maxRssMb > MAX_RSS_MB) excesses.push(`RSS ${meter.maxRssMb.toFixed(0)} MB`);
  return { kinds, excesses };
}
