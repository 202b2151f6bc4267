/**
 * The deadlines of tests. `npm test` measures the speed of the machine before it starts the test processes,
 * and passes it to them. A file that is run by itself has the deadlines of an idle machine.
 */

/** Chosen so that a deadline also holds if the machine gets other work during the run. */
const GENEROSITY = 3;
const MAX_SLOWNESS = 10;
const VARIABLE = 'TEST_SLOWNESS';
/** About 1 s on an idle machine: a shorter burst would end before the other processes have their turn. */
const WORKLOADS = 40;
const MAX_MEASURE_MS = 5_000;

const slowness = Number(process.env[VARIABLE] ?? 1);

/**
 * Returns a long deadline for what a test waits for: `ms` is ample on an idle machine. A deadline that is
 * not reached costs no time.
 */
export function patientMs(ms: number): number {
  return scaledMs(ms * GENEROSITY);
}

/**
 * Returns `ms` of an idle machine at the speed of this one: for limits that the product promises, which an
 * idle machine holds exactly, and for those that a test sets.
 */
export function scaledMs(ms: number): number {
  return Math.round(ms * slowness);
}

/**
 * Measures by the clock how many times longer this machine takes for a fixed workload, beside its other
 * processes, than an idle one. Returns the variable for the test processes that are started from now on.
 */
export async function measurePatience(): Promise<{ slowness: number; env: Record<string, string> }> {
  const { REFERENCE_MS, runReference } = await import('./cpu-time.ts');
  const startMs = performance.now();
  let done = 0;
  let ms = 0;
  for (; done < WORKLOADS && ms < MAX_MEASURE_MS; done += 1) {
    runReference();
    ms = performance.now() - startMs;
  }
  const measured = ms / (done * REFERENCE_MS);
  const factor = Math.min(MAX_SLOWNESS, Math.max(1, measured)).toFixed(1);
  return { slowness: Number(factor), env: { [VARIABLE]: factor } };
}
