/** Documents that try to reach a document of another key, which never has their renderer. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isFullRun, sample } from '../../support/sample.ts';
import { ATTACK_GROUPS } from './attacks/all-attacks.ts';
import { printAttack, printProbe } from './support/judge.ts';
import { openKeptEngine, type KeptEngine } from './support/kept-engine.ts';
import { PROBES } from './support/probes.ts';

const ATTACKS = Object.values(ATTACK_GROUPS).flatMap((attacks) => Object.entries(attacks));
/** Without TEST_FULL=1, one attack in this many is printed. */
const ONE_IN = 30;
const TURNS = isFullRun ? 6 : 2;
const NAMES = Object.keys(PROBES);
const [LOOKING = ''] = NAMES;

let kept: KeptEngine;
/** The renderers of each key. */
const renderers = { attacker: new Set<number>(), victim: new Set<number>() };

before(async () => {
  kept = await openKeptEngine();
});
after(() => kept[Symbol.asyncDispose]());

void describe('a document of another key is printed as in a new browser, and in another renderer', () => {
  for (const [index, [what, attack]] of sample(ATTACKS, ONE_IN).entries())
    void it(what, async () => {
      renderers.attacker.add((await printAttack(kept, attack, 'attacker')).pid);
      // Each probe is the first one after some attacks.
      for (const shift of isFullRun ? [0, 1] : [0]) {
        const probe = NAMES[(index + shift) % NAMES.length] ?? '';
        renderers.victim.add((await printProbe(kept, probe, 'victim')).pid);
      }
      assert.deepEqual([...renderers.victim.intersection(renderers.attacker)], []);
    });

  void it('with a screen that no other document has turned', async () => {
    const turned =
      ATTACKS.find(([what]) => what.startsWith('the orientation of the screen')) ?? assert.fail();
    await printAttack(kept, turned[1], 'attacker');
    await printProbe(kept, LOOKING, 'victim');
  });

  void it('again and again, in turn', async () => {
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const keyId of ['attacker', 'victim'] as const)
        renderers[keyId].add((await printProbe(kept, NAMES[turn % 3] ?? '', keyId)).pid);
    assert.deepEqual([...renderers.victim.intersection(renderers.attacker)], []);
    assert.ok(!renderers.victim.has(0) && !renderers.attacker.has(0), 'the renderers are known');
  });
});
