/**
 * Documents that try to change, read or slow the next one of their key, which may be printed in the same
 * renderer.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isFullRun, sample } from '../../support/sample.ts';
import { ATTACK_GROUPS } from './attacks/all-attacks.ts';
import type { Attack } from './attacks/attack.ts';
import { measureMemoryMb } from './support/browser-memory.ts';
import { assertNotSlowed, HARMLESS, printAttack, printProbe } from './support/judge.ts';
import { KEEPS_RENDERERS, openKeptEngine, type KeptEngine } from './support/kept-engine.ts';
import { KEPT_PROBES, PROBES } from './support/probes.ts';

const KEY = 'kept';
/** Without TEST_FULL=1, one attack in this many of each group is printed. */
const ONE_IN = 16;
const [LOOKING = '', ...OTHERS] = Object.keys(PROBES);
/** A renderer is discarded when it is larger than 300 MiB, and another one is ready beside it. */
const MAX_GROWTH_MB = 450;
/** At least this share of the probes that it may print is printed in the renderer of the attack. */
const MIN_REUSED = 0.25;

let kept: KeptEngine;
let memoryMb = 0;
/** The times of each probe. */
const times = new Map<string, number[]>();
const pairs = { all: 0, reused: 0 };

before(async () => {
  kept = await openKeptEngine();
  for (const [probe, body] of Object.entries(PROBES))
    times.set(probe, [(await kept.print(body, KEY, 'probe')).ms]);
  memoryMb = measureMemoryMb(kept.browserPid());
});
after(() => kept[Symbol.asyncDispose]());

/** Prints an attack, and a probe after it. */
async function attackOnce(attack: Attack, probe: string): Promise<void> {
  const attacker = await printAttack(kept, attack, KEY);
  const { pid, ms } = await printProbe(kept, probe, KEY);
  const isKept = KEPT_PROBES.includes(probe);
  if (isKept) pairs.all += 1;
  if (isKept && pid === attacker.pid) pairs.reused += 1;
  const measured = times.get(probe) ?? [];
  measured.push(ms);
  await assertNotSlowed(kept, { attack, probe, keyId: KEY, ms: measured });
}

void describe('a document leaves the next one of its key as it is in a new browser, and as fast', () => {
  for (const [group, attacks] of Object.entries(ATTACK_GROUPS))
    void describe(group, () => {
      for (const [index, [what, attack]] of sample(Object.entries(attacks), ONE_IN).entries())
        void it(what, async () => {
          await attackOnce(attack, LOOKING);
          if (isFullRun) for (const probe of OTHERS) await attackOnce(attack, probe);
          else await printProbe(kept, OTHERS[index % OTHERS.length] ?? LOOKING, KEY);
        });
    });
});

void describe('the renderer of a key', () => {
  void it(`prints ${KEEPS_RENDERERS ? 'the next document too' : 'one document with scripts'}`, async () => {
    const first = await printAttack(kept, HARMLESS, KEY);
    const second = await printAttack(kept, HARMLESS, KEY);
    assert.ok(first.pid > 0 && second.pid > 0);
    assert.equal(first.pid === second.pid, KEEPS_RENDERERS);
  });

  void it('keeps the size and the place of its window', async () => {
    const html = '<p>x<script>moveTo(9, 9); resizeTo(100, 100); resizeBy(50, 50)</script>';
    await printAttack(kept, { html }, KEY);
    await printProbe(kept, LOOKING, KEY);
  });

  void it('printed many of the documents above, so that they prove something', () => {
    if (KEEPS_RENDERERS) assert.ok(pairs.reused >= MIN_REUSED * pairs.all, JSON.stringify(pairs));
    else assert.equal(pairs.reused, 0);
  });

  void it('does not grow with the documents, nor does the browser', () => {
    const growthMb = measureMemoryMb(kept.browserPid()) - memoryMb;
    assert.ok(growthMb < MAX_GROWTH_MB, `${Math.round(growthMb)} MiB more than ${Math.round(memoryMb)}`);
  });
});
