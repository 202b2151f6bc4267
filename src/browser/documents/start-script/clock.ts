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
  const readVirtualTime = NativeDate.now;
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
  const restartClock = () => { clockStart = readVirtualTime(); workMs = 0; };

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
