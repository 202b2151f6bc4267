/**
 * Plays every attack of test/attacks beside a well-behaved caller, on one service, then all of them at once,
 * and prints what the caller noticed. An attack that exceeds a bound is played once more. Ends with exit code
 * 1 if it does so again.
 *
 *   npm run bench -- reliability                        every attack, then all together for 60 s
 *   npm run bench -- reliability pdf_endless_loop    the named attacks only
 *
 * RELIABILITY_FACTOR=2 doubles the bounds on time, for machines that are shared (.ci/run does).
 * RELIABILITY_SECONDS sets the seconds of all together.
 * RELIABILITY_FRESH=1 starts a new service for every attack, so that the after-effects of one do not count
 * against the next.
 */
import { ALL_AT_ONCE, ATTACKS, findAttack, NO_ATTACK } from '../../test/attacks/attacks/index.ts';
import type { Attack } from '../../test/attacks/support/attack.ts';
import { MAX_RSS_MB } from '../../test/attacks/support/bounds.ts';
import { type AttackRange, openAttackRange } from '../../test/attacks/support/attack-range.ts';
import type { CallerReport } from '../../test/attacks/support/good-caller.ts';
import { playAttack, settle } from '../../test/attacks/support/play-attack.ts';
import { judgeAttack } from './judge.ts';
import { formatReport, HEADER } from './format-report.ts';

const ALONE_MS = 3000;
/** Without a floor, the bound is as good as the p99 alone. */
const ALONE_FOR_RATIO_MS = 8000;
const BESIDE_MS = 7000;
const ALL_AT_ONCE_MS = 1000 * Number(process.env.RELIABILITY_SECONDS ?? 60);
const HEAD_START_MS = 700;
const SETTLE_MS = 30_000;

const factor = Number(process.env.RELIABILITY_FACTOR ?? 1);
const named = process.argv.slice(2).map(findAttack);
const attacks = named.length > 0 ? named : [...ATTACKS, ALL_AT_ONCE];
const groups = process.env.RELIABILITY_FRESH === '1' ? attacks.map((attack) => [attack]) : [attacks];
const startedAt = performance.now();
const harmful: string[] = [];

console.log(HEADER);
for (const group of groups) harmful.push(...(await playGroup(group)));
console.log(
  `\n${attacks.length} attacks in ${((performance.now() - startedAt) / 1000).toFixed(0)} s; bounds on time × ${factor}; RSS at most ${MAX_RSS_MB} MB.`,
);
console.log(
  harmful.length === 0
    ? 'No attack harmed the well-behaved caller.'
    : `Harmful: ${harmful.length} of ${attacks.length}.\n${harmful.join('\n')}`,
);
process.exit(harmful.length === 0 ? 0 : 1);

/** Plays attacks on one service. Returns the harmful ones, each with what it exceeded. */
async function playGroup(group: readonly Attack[]): Promise<string[]> {
  await using range = await openAttackRange(group);
  // Code that runs for the first time is compiled, and a new heap grows: the attack is not the cause.
  await playAttack(range, NO_ATTACK, { aloneMs: 0, besideMs: ALONE_MS, headStartMs: 0 });
  const found: string[] = [];
  for (const attack of group) {
    let { report, verdict } = await playAndReport(range, attack);
    // Other load of the machine may exceed a bound once; a fault of the service does it twice.
    if (report.isAlive && verdict.excesses.length > 0)
      ({ report, verdict } = await playAndReport(range, attack, report.alone));
    if (verdict.excesses.length > 0) found.push(`  ${attack.name}: ${verdict.excesses.join(', ')}`);
    if (!report.isAlive) {
      console.log(range.service.log().slice(-2000));
      return found;
    }
  }
  return found;
}

/** `alone` is what was measured before the attack was played: its after-effects are not part of it. */
async function playAndReport(range: AttackRange, attack: Attack, alone: CallerReport | null = null) {
  await settle(range, SETTLE_MS);
  const aloneMs = attack.maxRatio === undefined ? ALONE_MS : ALONE_FOR_RATIO_MS;
  const played = await playAttack(range, attack, {
    aloneMs: alone === null ? aloneMs : 0,
    besideMs: attack === ALL_AT_ONCE ? ALL_AT_ONCE_MS : BESIDE_MS,
    headStartMs: HEAD_START_MS,
  });
  const report = { ...played, alone: alone ?? played.alone };
  const verdict = judgeAttack(report, factor);
  console.log(formatReport(report, verdict));
  return { report, verdict };
}
