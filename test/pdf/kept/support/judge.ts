import assert from 'node:assert/strict';
import { toBody, type Attack } from '../attacks/attack.ts';
import { assertAlone } from './assert-alone.ts';
import type { KeptEngine, Printed } from './kept-engine.ts';
import { PROBES } from './probes.ts';

/** Errors that attacks cause on purpose. An attack with another error does not do what it says. */
const INTENDED_ERRORS = /planned|ResizeObserver loop|failed: 1 \(/;
/** A probe that takes this many times as long as after a harmless document was slowed by the attack. */
const MAX_SLOWNESS = 3;
/**
 * Besides, the clean-up after an attack may take this share of the attack's own time: to end 60 frames keeps
 * the browser busy for a fifth of the time that they took.
 */
const CLEAN_UP_SHARE = 0.3;
/** Load that begins in the middle of a round can make it slow; an attack that works slows each round. */
const MAX_ROUNDS = 4;

/** A document with a script that leaves nothing. */
export const HARMLESS: Attack = { html: '<p>x<script>document.body.append(1)</script>' };

/** Prints an attack, which has to be printed without errors of its script. */
export async function printAttack(kept: KeptEngine, attack: Attack, keyId: string): Promise<Printed> {
  const printed = await kept.print(toBody(attack), keyId, 'attack');
  const errors = printed.warnings.filter((warning) => warning.startsWith('A script failed'));
  assert.deepEqual(
    errors.filter((error) => !INTENDED_ERRORS.test(error)),
    [],
  );
  return printed;
}

/** Prints a probe, which has to be equal to that of a new browser. */
export async function printProbe(kept: KeptEngine, probe: string, keyId: string): Promise<Printed> {
  const printed = await kept.print(PROBES[probe] ?? assert.fail(probe), keyId, 'probe');
  await assertAlone(probe, printed);
  return printed;
}

/**
 * Asserts that a probe takes no longer after the attack than after a harmless document. `ms` are the times of
 * the probe so far, the last one after the attack: only a time that is long beside them is measured again.
 */
export async function assertNotSlowed(
  kept: KeptEngine,
  { attack, probe, keyId, ms }: { attack: Attack; probe: string; keyId: string; ms: readonly number[] },
): Promise<void> {
  const median = ms.toSorted((one, other) => one - other)[Math.floor(ms.length / 2)] ?? 0;
  let [after, alone, cleanUp] = [ms.at(-1) ?? 0, median, 0];
  for (let round = 1; after > MAX_SLOWNESS * alone + cleanUp; round += 1) {
    assert.ok(round < MAX_ROUNDS, `${probe} takes ${Math.round(after)} ms, not ${Math.round(alone)}`);
    cleanUp = CLEAN_UP_SHARE * (await printAttack(kept, attack, keyId)).ms;
    after = (await printProbe(kept, probe, keyId)).ms;
    await printAttack(kept, HARMLESS, keyId);
    alone = (await printProbe(kept, probe, keyId)).ms;
  }
}
