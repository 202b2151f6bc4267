/** The shift of the time of day in this process; `Date` is replaced once. */
const clock = { shiftMs: 0 };
const MachineDate = Date;
let isInstalled = false;

/**
 * Moves the time of day of this process by `shiftMs` of the result, also for packages: they receive no clock.
 * Timers and `performance.now()` are not affected.
 */
export function shiftClock(): { shiftMs: number } {
  if (isInstalled) return clock;
  isInstalled = true;
  const now = (): number => MachineDate.now() + clock.shiftMs;
  // A proxy, so that dates that were created before are still instances of `Date`.
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  });
  return clock;
}
