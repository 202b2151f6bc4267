import type { AttackReport } from '../../test/attacks/support/play-attack.ts';
import { type Kind, KINDS } from '../../test/attacks/support/call-kinds.ts';
import type { KindVerdict, Verdict } from './judge.ts';

const NAME_WIDTH = 28;
const KIND_WIDTH = 27;
const LABELS: Record<Kind, string> = {
  health: '/healthz',
  email: 'email',
  lookup: 'email, new domain',
  metadata: 'metadata',
  pdf: 'PDF',
  largePdf: 'PDF, body of 100 KB',
};

/** The head of the table. Each kind of call has its success, and its p99 alone → under attack (bound). */
export const HEADER = [
  'attack'.padEnd(NAME_WIDTH),
  ...KINDS.map((kind) => LABELS[kind].padEnd(KIND_WIDTH)),
  'turn ms (with GC)'.padEnd(18),
  'RSS MB'.padEnd(7),
  'verdict',
].join(' ');

const round = (ms: number): string => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));

const formatKind = ({ success, p99AloneMs, p99Ms, boundMs }: KindVerdict): string =>
  `${(success * 100).toFixed(1)}% ${round(p99AloneMs)} → ${round(p99Ms)} (${round(boundMs)})`;

/**
 * Formats one line of the table. The lines below it have the medians, and count the outcomes of the attack's
 * calls and the caller's failed ones.
 */
export function formatReport({ attack, meter, outcomes }: AttackReport, verdict: Verdict): string {
  const line = [
    attack.name.padEnd(NAME_WIDTH),
    ...verdict.kinds.map((kind) => formatKind(kind).padEnd(KIND_WIDTH)),
    (meter ? `${round(meter.turnMs)} (${round(meter.turnWithGcMs)})` : '-').padEnd(18),
    (meter ? meter.maxRssMb.toFixed(0) : '-').padEnd(7),
    verdict.excesses.length === 0 ? 'ok' : 'HARMFUL',
  ].join(' ');
  const failures = verdict.kinds
    .filter(({ failures }) => Object.keys(failures).length > 0)
    .map(({ kind, failures }) => `${LABELS[kind]} ${formatCounts(failures)}`);
  const medians = verdict.kinds.map(
    ({ kind, p50AloneMs, p50Ms }) => `${LABELS[kind]} ${round(p50AloneMs)} → ${round(p50Ms)}`,
  );
  return [
    line,
    `  p50: ${medians.join(' · ')}`,
    `  attack's calls: ${formatCounts(outcomes)}`,
    ...(failures.length > 0 ? [`  failed: ${failures.join(' · ')}`] : []),
  ].join('\n');
}

const formatCounts = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what} × ${count}`)
    .join(', ') || 'none';
