/**
 * Idle periods follow real time, so idle callbacks become timers. Delayed tasks of the scheduler count as
 * timers.
 */
export const IDLE_TASKS = `
  const IDLE_MS = 50;
  const idleDeadline = () => {
    const endsAt = readClock() + IDLE_MS;
    return { didTimeout: false, timeRemaining: () => max(0, endsAt - readClock()) };
  };
  const { max } = Math;
  const startCountedTimer = (callback, ms) => {
    const handle = startTimer(() => { timers.delete(handle); callback(); }, ms);
    timers.add(handle);
    return handle;
  };
  define(window, 'requestIdleCallback', function requestIdleCallback(callback) {
    if (typeof callback !== 'function') throw new TypeError('The callback is not a function.');
    return startCountedTimer(() => callback(idleDeadline()), 1);
  });
  define(window, 'cancelIdleCallback', function cancelIdleCallback(handle) {
    timers.delete(handle);
    clearTimeout(handle);
  });
  const postTask = window.Scheduler?.prototype.postTask;
  define(window.Scheduler?.prototype, 'postTask', { postTask(callback, options) {
    const delay = options?.delay;
    if (delay > 0) startCountedTimer(() => {}, delay);
    return apply(postTask, this, arguments);
  } }.postTask);
`;
