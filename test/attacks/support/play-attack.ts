import { setTimeout } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { AttackRange } from './attack-range.ts';
import { type Outcomes, startAttacker } from './attacker.ts';
import type { CallerReport } from './good-caller.ts';
import type { MeterReading } from './service-meter.ts';

export interface PlayOptions {
  /** The time that the caller calls before the attack begins; 0 skips that. */
  aloneMs: number;
  /** The time that it calls beside the attack. The attack continues until the calls in flight have ended. */
  besideMs: number;
  /** The time from the start of the attack to the start of the caller. */
  headStartMs: number;
}

/** The results of one attack. */
export interface AttackReport {
  attack: Attack;
  /** True if the service's process survived. */
  isAlive: boolean;
  alone: CallerReport | null;
  beside: CallerReport;
  /** Null if the service ended. */
  meter: MeterReading | null;
  outcomes: Outcomes;
}

/** Plays an attack beside the well-behaved caller. */
export async function playAttack(
  { service, caller, fieldOf }: AttackRange,
  attack: Attack,
  { aloneMs, besideMs, headStartMs }: PlayOptions,
): Promise<AttackReport> {
  const callFor = async (ms: number): Promise<CallerReport> => {
    caller.start();
    await setTimeout(ms);
    return caller.stop();
  };
  const alone = aloneMs > 0 ? await callFor(aloneMs) : null;
  await service.resetMeter();
  await using attacker = await startAttacker(attack.name, fieldOf(attack));
  await setTimeout(attack.headStartMs ?? headStartMs);
  const beside = await callFor(besideMs);
  const outcomes = await attacker.stop();
  const meter = service.isAlive() ? await service.readMeter().catch(() => null) : null;
  return { attack, isAlive: service.isAlive(), alone, beside, meter, outcomes };
}

/** Waits until the service responds again and its renderers are free, at most so long. */
export async function settle({ service }: AttackRange, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs;
  let busy = 1;
  while (busy > 0 && service.isAlive() && performance.now() < until) {
    busy = await countRenders(service.port);
    if (busy > 0) await setTimeout(100);
  }
}

async function countRenders(port: number): Promise<number> {
  try {
    const signal = AbortSignal.timeout(5000);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
    const { parts } = (await response.json()) as {
      parts: { browser: { busy: number; queued: number } };
    };
    return parts.browser.busy + parts.browser.queued;
  } catch {
    return 1;
  }
}
