import { randomUUID } from 'node:crypto';

/** The name of the functions that the script leaves in each window. No document can know it in advance. */
const CONTROL = `__${randomUUID()}`;

/** An expression that sets the document's clock (`performance.now()`) to zero. */
export const RESTART_CLOCK = `window['${CONTROL}']?.restartClock()`;
/** An expression that starts to count the changes of the document. */
export const OBSERVE_CHANGES = `window['${CONTROL}']?.observeChanges()`;
/** The work of a document since the last call, and what it waits for. */
export interface Activity {
  /** Operations in progress outside the document's thread. */
  pending: number;
  /** Changes of the document, and messages of its workers. */
  changes: number;
  /** Timers that will run once. */
  timers: number;
  /** Sources of further work: intervals, animation frames, and frames of the document. */
  repeating: number;
  /** Animations and transitions that run. */
  animations: number;
  /** New observers of what is visible: they are called when a frame is shown. */
  observers: number;
}

/** An expression that returns Activity; null if the document's scripts do not run. */
export const TAKE_ACTIVITY = `window['${CONTROL}']?.takeActivity() ?? null`;

/**
 * Runs first in every document and frame.
 *
 * - Nothing reads a document's console. Each message is a call to the one main thread of the browser, which
 *   all documents share: a document that floods it would delay the others.
 * - Native frames follow real time. So animation frames become timers, which follow virtual time, with 16 ms
 *   between frames.
 * - The page exists before its document, and so does its clock: `performance.now()` counts from the document.
 *   It has no fractions, which Chromium makes up differently in each renderer.
 * - Virtual time does not wait for work in other threads and processes (databases, cryptography,
 *   WebAssembly, image decoding, messages of workers), so this work is counted.
 * - A shared worker belongs to no document: no limit of a document would hold for it.
 */
export const DOCUMENT_START_SCRIPT = `(() => {
  'use strict';
  for (const name of Object.keys(console)) if (typeof console[name] === 'function') console[name] = () => {};

  delete window.SharedWorker;

  const define = (owner, name, value) => {
    if (owner !== undefined && owner !== null && typeof owner[name] === 'function')
      Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: true });
  };
  const { apply, construct } = Reflect;

  const nativeNow = Performance.prototype.now;
  const readDate = Date.now;
  let clockStart = readDate();
  const readClock = () => readDate() - clockStart;
  define(Performance.prototype, 'now', function now() {
    return this === performance ? readClock() : apply(nativeNow, this, []);
  });
  Object.defineProperty(Performance.prototype, 'timeOrigin', {
    configurable: true,
    enumerable: true,
    get: () => clockStart,
  });

  const startTimer = window.setTimeout;
  const { clearTimeout, clearInterval } = window;
  const timers = new Set();
  define(window, 'setTimeout', function setTimeout(handler, ms, ...args) {
    const handle = startTimer(handler, ms, ...args);
    timers.add(handle);
    startTimer(() => timers.delete(handle), ms);
    return handle;
  });
  const intervals = new Set();
  const startInterval = window.setInterval;
  define(window, 'setInterval', function setInterval(...args) {
    const handle = startInterval(...args);
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

  let lastHandle = 0;
  let isFrameDue = false;
  let waiting = new Map();
  let running = new Map();
  const runFrame = () => {
    isFrameDue = false;
    running = waiting;
    waiting = new Map();
    const time = readClock();
    for (const callback of running.values()) {
      try {
        callback(time);
      } catch (error) {
        reportError(error);
      }
    }
  };
  define(window, 'requestAnimationFrame', function requestAnimationFrame(callback) {
    if (typeof callback !== 'function') throw new TypeError('The callback is not a function.');
    if (!isFrameDue) startTimer(runFrame, 16);
    isFrameDue = true;
    lastHandle += 1;
    waiting.set(lastHandle, callback);
    return lastHandle;
  });
  define(window, 'cancelAnimationFrame', function cancelAnimationFrame(handle) {
    waiting.delete(handle);
    running.delete(handle);
  });

  let pending = 0;
  let changes = 0;
  const { then } = Promise.prototype;
  const { addEventListener } = EventTarget.prototype;
  const begin = () => {
    let isPending = true;
    pending += 1;
    return () => {
      if (isPending) pending -= 1;
      isPending = false;
    };
  };
  const wrap = (owner, names, track) => {
    for (const name of names) {
      const original = owner && Object.getOwnPropertyDescriptor(owner, name)?.value;
      if (typeof original !== 'function' || name === 'constructor') continue;
      define(owner, name, { [name](...args) { return track(apply(original, this, args), this); } }[name]);
    }
  };
  const trackPromise = (result) => {
    if (result instanceof Promise) {
      const end = begin();
      apply(then, result, [end, end]);
    }
    return result;
  };
  const trackEvents = (types) => (result, self) => {
    const end = begin();
    for (const type of types) apply(addEventListener, result ?? self, [type, end]);
    return result;
  };
  for (const name of ['SubtleCrypto', 'CacheStorage', 'Cache', 'Blob', 'ImageDecoder']) {
    const owner = window[name]?.prototype;
    if (owner) wrap(owner, Object.getOwnPropertyNames(owner), trackPromise);
  }
  wrap(WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'], trackPromise);
  wrap(window, ['createImageBitmap'], trackPromise);
  wrap(window.IDBFactory?.prototype, ['open', 'deleteDatabase'], trackEvents(['success', 'error', 'blocked']));
  wrap(window.IDBDatabase?.prototype, ['transaction'], trackEvents(['complete', 'abort']));
  wrap(
    window.FileReader?.prototype,
    ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'],
    trackEvents(['loadend']),
  );
  const { toBlob } = HTMLCanvasElement.prototype;
  define(HTMLCanvasElement.prototype, 'toBlob', function (callback, ...options) {
    const end = begin();
    return apply(toBlob, this, [(blob) => { end(); callback(blob); }, ...options]);
  });
  if (typeof Worker === 'function') {
    const count = () => { changes += 1; };
    wrap(Worker.prototype, ['postMessage'], (result) => { count(); return result; });
    window.Worker = new Proxy(Worker, {
      construct: (target, args, newTarget) => {
        const worker = construct(target, args, newTarget);
        apply(addEventListener, worker, ['message', count]);
        return worker;
      },
    });
  }

  let observers = 0;
  window.IntersectionObserver = new Proxy(IntersectionObserver, {
    construct: (target, args, newTarget) => {
      observers += 1;
      return construct(target, args, newTarget);
    },
  });

  const Observer = MutationObserver;
  const { getAnimations } = Document.prototype;
  Object.defineProperty(window, '${CONTROL}', {
    value: {
      restartClock: () => { clockStart = readDate(); },
      observeChanges: () => {
        new Observer(() => { changes += 1; }).observe(document, {
          subtree: true, childList: true, attributes: true, characterData: true,
        });
      },
      takeActivity: () => {
        const animations = apply(getAnimations, document, []).length;
        const result = { pending, changes, timers: timers.size, repeating: intervals.size + waiting.size + window.length, animations, observers };
        observers = 0;
        changes = 0;
        return result;
      },
    },
  });
})();`;
