import { CONTROL } from './tools.ts';

/**
 * The time that scripts read. The page exists before its document, and so does its clock: `performance.now()`
 * counts from the document. It has no fractions, which Chromium makes up differently in each renderer.
 *
 * Virtual time stands still while a script runs. A script that waits by reading the clock would wait forever,
 * and one that uses the time as an id (Mermaid) would get the same id twice. So a script's work takes time
 * that depends only on its steps: 1 ms for each run of promises after the time was read, and for each
 * thousandth time that it is read.
 */
export const CLOCK = `
  const NativeDate = Date;
  const readRendererTime = NativeDate.now;
  // A frame has the offset of the document that it is in, if it may read it.
  let offsetMs = 0;
  try {
    if (window !== top) offsetMs = parent['${CONTROL}'].getOffset();
  } catch {}
  const readVirtualTime = () => readRendererTime() + offsetMs;
  const nativeNow = Performance.prototype.now;
  const ownPerformance = performance;
  const READS_PER_MS = 1_000;
  const ticked = NativePromise.resolve();
  // Without a constructor of its own, 'then' asks the document for none.
  defineProperty(ticked, 'constructor', { value: undefined });
  let clockStart = readVirtualTime();
  let workMs = 0;
  let reads = 0;
  let isTickDue = false;
  const tick = () => { workMs += 1; isTickDue = false; };
  const readTime = () => {
    const time = readVirtualTime() + workMs;
    reads += 1;
    if (reads % READS_PER_MS === 0) workMs += 1;
    if (!isTickDue) apply(then, ticked, [tick]);
    isTickDue = true;
    return time;
  };
  const readClock = () => readTime() - clockStart;
  const restartClock = (ms) => { offsetMs = ms; clockStart = readVirtualTime(); workMs = 0; };

  defineProperty(NativeDate, 'now', {
    value: { now() { return readTime(); } }.now, writable: true, configurable: true,
  });
  const DocumentDate = new Proxy(NativeDate, freeze({
    __proto__: null,
    apply: (target) => apply(toDateString, construct(target, [readTime()]), []),
    construct: (target, args, newTarget) =>
      construct(target, args.length === 0 ? [readTime()] : args, newTarget === DocumentDate ? target : newTarget),
  }));
  const { toString: toDateString } = NativeDate.prototype;
  defineProperty(NativeDate.prototype, 'constructor', { value: DocumentDate, writable: true, configurable: true });
  defineProperty(window, 'Date', { value: DocumentDate, writable: true, configurable: true });

  define(Performance.prototype, 'now', function now() {
    return this === ownPerformance ? readClock() : apply(nativeNow, this, []);
  });
  defineProperty(Performance.prototype, 'timeOrigin', {
    configurable: true,
    enumerable: true,
    get: () => clockStart,
  });
`;

/**
 * Corrects the other readers of the renderer's clock, which an earlier document may have advanced: `Intl`,
 * `Temporal`, `File`, `lastModified`. Workers read that clock itself.
 */
export const OTHER_CLOCKS = `
  const { DateTimeFormat } = Intl;
  const withTime = (time) => time === undefined ? readTime() : time;
  const { formatToParts } = DateTimeFormat.prototype;
  define(DateTimeFormat.prototype, 'formatToParts', { formatToParts(time) {
    return apply(formatToParts, this, [withTime(time)]);
  } }.formatToParts);
  const formats = new WeakMap();
  const { get: getFormat, set: keepFormat } = WeakMap.prototype;
  const { get: getNativeFormat } = getOwnPropertyDescriptor(DateTimeFormat.prototype, 'format');
  defineProperty(DateTimeFormat.prototype, 'format', { configurable: true, get: { get format() {
    const native = apply(getNativeFormat, this, []);
    const known = apply(getFormat, formats, [native]);
    if (known) return known;
    const format = (time) => native(withTime(time));
    apply(keepFormat, formats, [native, format]);
    return format;
  } }.__lookupGetter__('format') });
  wrapClass('File', (args) => args.length < 2 || args[2]?.lastModified !== undefined
    ? args : [args[0], args[1], { __proto__: null, type: args[2]?.type, endings: args[2]?.endings, lastModified: readTime() }]);
  const twoDigits = (number) => (number < 10 ? '0' : '') + number;
  const { get: getLastModified } = getOwnPropertyDescriptor(Document.prototype, 'lastModified');
  const ownDocument = document;
  // A document that was sent in a request has no time of its own.
  defineProperty(Document.prototype, 'lastModified', { configurable: true, enumerable: true, get: { get lastModified() {
    if (this !== ownDocument || window !== top) return apply(getLastModified, this, []);
    const date = construct(NativeDate, [readTime()]);
    return twoDigits(date.getMonth() + 1) + '/' + twoDigits(date.getDate()) + '/' + date.getFullYear() + ' ' +
      twoDigits(date.getHours()) + ':' + twoDigits(date.getMinutes()) + ':' + twoDigits(date.getSeconds());
  } }.__lookupGetter__('lastModified') });
  if (window.Temporal) {
    const { Instant, Now } = Temporal;
    const { fromEpochMilliseconds } = Instant;
    const { toZonedDateTimeISO } = Instant.prototype;
    const { timeZoneId } = Now;
    const { toPlainDate, toPlainTime, toPlainDateTime } = Temporal.ZonedDateTime.prototype;
    const instant = () => apply(fromEpochMilliseconds, Instant, [readTime()]);
    const zoned = (zone) => apply(toZonedDateTimeISO, instant(), [zone === undefined ? timeZoneId() : zone]);
    const plain = (convert) => (zone) => apply(convert, zoned(zone), []);
    const clocks = {
      __proto__: null, instant, zonedDateTimeISO: zoned, plainDateISO: plain(toPlainDate),
      plainTimeISO: plain(toPlainTime), plainDateTimeISO: plain(toPlainDateTime),
    };
    for (const name in clocks) defineProperty(Now, name, { value: clocks[name], writable: true, configurable: true });
  }
`;

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

/**
 * Native frames follow real time. So animation frames become timers, which follow virtual time: the first
 * ones 16 ms apart, further ones 33 ms. Paper shows the end of an animation, and a chart of one second that
 * is drawn 36 times in place of 61 costs a quarter less.
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
  let frames = 0;
  define(window, 'requestAnimationFrame', function requestAnimationFrame(callback) {
    if (typeof callback !== 'function') throw new TypeError('The callback is not a function.');
    if (!isFrameDue) {
      frames += 1;
      startTimer(() => { isFrameDue = false; runFrame(); }, frames > 10 ? 33 : 16);
    }
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
