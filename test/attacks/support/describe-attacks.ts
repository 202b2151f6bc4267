import { after, before, describe, it } from 'node:test';
import { NO_ATTACK, findAttack } from '../attacks/index.ts';
import { assertFair } from './assert-fair.ts';
import { type AttackRange, openAttackRange } from './attack-range.ts';
import type { Outcomes } from './attacker.ts';
import { playAttack, settle } from './play-attack.ts';

const PLAY = { aloneMs: 0, besideMs: 1500, headStartMs: 500 };
const WARM_UP = { aloneMs: 0, besideMs: 500, headStartMs: 0 };
const SETTLE_MS = 20_000;

export interface AttackCase {
  /** The attack's name. */
  attack: string;
  /** The promise that the test states. */
  promise: string;
  /** More than what assertFair asserts, about what became of the attack's calls. */
  check?: (outcomes: Outcomes) => void;
}

/** Declares one test per attack. All attack the same service, one after the other. */
export function describeAttacks(title: string, cases: readonly AttackCase[]): void {
  describe(title, () => {
    let range: AttackRange;
    before(async () => {
      range = await openAttackRange(cases.map(({ attack }) => findAttack(attack)));
      await playAttack(range, NO_ATTACK, WARM_UP);
    });
    after(() => range[Symbol.asyncDispose]());
    for (const { attack, promise, check } of cases)
      it(promise, async () => {
        // Other load of the machine can cost a turn or a call; a fault of the service shows in every run.
        const again = (): Promise<void> => play(attack, check);
        await again().catch(again).catch(again);
      });

    async function play(attack: string, check: AttackCase['check']): Promise<void> {
      await settle(range, SETTLE_MS);
      const report = await playAttack(range, findAttack(attack), PLAY);
      assertFair(report);
      check?.(report.outcomes);
    }
  });
}
