/** The time of day in this process. */
export interface ShiftedClock {
  /** Added to the time of the machine, or to `stoppedMs`. */
  shiftMs: number;
  /** The time at which the clock stands; null while it runs. */
  stoppedMs: number | null;
}

/** `Date` is replaced once. */
const clock: ShiftedClock = { shiftMs: 0, stoppedMs: null };
const MachineDate = Date;
let isInstalled = false;

/**
 * Moves the time of day of this process by `shiftMs` of the result, also for packages: they receive no clock.
 * Timers and `performance.now()` are not affected.
 */
export function shiftClock(): ShiftedClock {
  if (isInstalled) return clock;
  isInstalled = true;
  const now = (): number => (clock.stoppedMs ?? MachineDate.now()) + clock.shiftMs;
  // A proxy, so that dates that were created before are still instances of `Date`.
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  });
  return clock;
}
