import assert from 'node:assert/strict';
import { MAX_RSS_MB, MIN_SUCCESS } from './bounds.ts';
import type { AttackReport } from './play-attack.ts';
import { KINDS } from './call-kinds.ts';

/** For machines that are shared, as in bench/reliability. */
const TURN_FACTOR = Number(process.env.RELIABILITY_FACTOR ?? 1);

/** Asserts what holds beside every attack, whatever the clock says: bench/reliability measures latencies. */
export function assertFair({ attack, isAlive, beside, meter, outcomes }: AttackReport): void {
  const seen = `the attack's calls: ${JSON.stringify(outcomes)}`;
  assert.ok(isAlive && meter, 'the service survives');
  for (const kind of KINDS) {
    const { latencies, failures } = beside[kind];
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    assert.ok(
      latencies.length / (latencies.length + failed) >= MIN_SUCCESS,
      `${kind}: ${latencies.length} calls of another account succeeded, and failed: ${JSON.stringify(failures)}; ${seen}`,
    );
  }
  const maxTurnMs = attack.maxTurnMs * TURN_FACTOR;
  assert.ok(
    meter.turnMs <= maxTurnMs,
    `one turn of the event loop took ${meter.turnMs.toFixed(0)} ms of CPU, more than ${maxTurnMs} (${meter.turnWithGcMs.toFixed(0)} with major garbage collections); ${seen}`,
  );
  assert.ok(
    meter.maxRssMb <= MAX_RSS_MB,
    `the service grew to ${meter.maxRssMb.toFixed(0)} MB, more than ${MAX_RSS_MB}; ${seen}`,
  );
}
