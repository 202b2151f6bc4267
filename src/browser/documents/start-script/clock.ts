/**
 * The page exists before its document, and so does its clock: `performance.now()` counts from the document.
 * It has no fractions, which Chromium makes up differently in each renderer.
 */
export const CLOCK = `
  const nativeNow = Performance.prototype.now;
  const readDate = Date.now;
  const ownPerformance = performance;
  let clockStart = readDate();
  const readClock = () => readDate() - clockStart;
  define(Performance.prototype, 'now', function now() {
    return this === ownPerformance ? readClock() : apply(nativeNow, this, []);
  });
  defineProperty(Performance.prototype, 'timeOrigin', {
    configurable: true,
    enumerable: true,
    get: () => clockStart,
  });
`;
