/**
 * Native frames follow real time. So animation frames become timers, which follow virtual time, with 16 ms
 * between frames.
 */
export const ANIMATION_FRAMES = `
  const { reportError } = window;
  let lastFrameHandle = 0;
  let waitingCount = 0;
  let waiting = { __proto__: null };
  let running = waiting;
  const runFrame = () => {
    running = waiting;
    waiting = { __proto__: null };
    waitingCount = 0;
    const time = readClock();
    // In the order of their handles, and without those that one of them cancels.
    for (const handle in running) {
      try {
        (0, running[handle])(time);
      } catch (error) {
        reportError(error);
      }
    }
  };
  let isFrameDue = false;
  define(window, 'requestAnimationFrame', function requestAnimationFrame(callback) {
    if (typeof callback !== 'function') throw new TypeError('The callback is not a function.');
    if (!isFrameDue) startTimer(() => { isFrameDue = false; runFrame(); }, 16);
    isFrameDue = true;
    lastFrameHandle += 1;
    waitingCount += 1;
    waiting[lastFrameHandle] = callback;
    return lastFrameHandle;
  });
  define(window, 'cancelAnimationFrame', function cancelAnimationFrame(handle) {
    if (handle in waiting) waitingCount -= 1;
    delete waiting[handle];
    delete running[handle];
  });
`;
