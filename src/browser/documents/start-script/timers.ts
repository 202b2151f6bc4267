/** Counts the timers that will run once, and the intervals. */
export const TIMERS = `
  const { setInterval: startInterval, clearTimeout, clearInterval } = window;
  const timers = createSet();
  define(window, 'setTimeout', function setTimeout(handler, ms) {
    const handle = apply(startTimer, undefined, arguments);
    timers.add(handle);
    startTimer(() => timers.delete(handle), ms);
    return handle;
  });
  const intervals = createSet();
  define(window, 'setInterval', function setInterval() {
    const handle = apply(startInterval, undefined, arguments);
    intervals.add(handle);
    return handle;
  });
  // Both clear either kind (HTML standard §8.6).
  for (const [name, clear] of Object.entries({ clearTimeout, clearInterval }))
    define(window, name, { [name](handle) {
      timers.delete(handle);
      intervals.delete(handle);
      clear(handle);
    } }[name]);
`;
