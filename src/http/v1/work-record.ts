import type { Phase, PhaseTimes } from '#usage';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes that record nothing. */
    work: WorkRecord | null;
  }
}

/** Facts about the work of one request, for the log that its account sees. */
export class WorkRecord {
  /** The time that the work may take; undefined until it is known. */
  timeoutMs: number | undefined;
  /** Items of a batch that ended with an error; undefined if the response began before all were known. */
  failedItems: number | undefined;
  readonly #times: PhaseTimes = {};
  readonly #running = new Set<{ phase: Phase; startedAtMs: number }>();

  /** Starts a phase, and returns the function that ends it. Phases of one name add up. */
  readonly startPhase = (phase: Phase): (() => void) => {
    const part = { phase, startedAtMs: performance.now() };
    this.#running.add(part);
    return () => {
      if (this.#running.delete(part)) addTime(this.#times, part);
    };
  };

  /**
   * Returns the whole milliseconds of each phase so far, also of those that have not ended; undefined if
   * there were none. A queue that was not waited for is no phase.
   */
  get phases(): PhaseTimes | undefined {
    const times = { ...this.#times };
    for (const part of this.#running) addTime(times, part);
    const rounded = Object.entries(times)
      .map(([phase, ms]): [string, number] => [phase, Math.round(ms)])
      .filter(([phase, ms]) => phase !== 'queue' || ms > 0);
    return rounded.length === 0 ? undefined : Object.fromEntries(rounded);
  }
}

function addTime(times: PhaseTimes, { phase, startedAtMs }: { phase: Phase; startedAtMs: number }): void {
  times[phase] = (times[phase] ?? 0) + performance.now() - startedAtMs;
}
