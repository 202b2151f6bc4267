import { CONTROL } from './tools.ts';

const ACTIVITY_NAMES = [
  // Operations in progress outside the document's thread.
  'pending',
  // Changes of the document, and messages of its workers.
  'changes',
  // Timers that will run once.
  'timers',
  // Sources of further work: intervals, animation frames, and frames of the document.
  'repeating',
  // Animations and transitions that run.
  'animations',
  // Media queries for print.
  'printQueries',
  // Calls whose results the browser draws: of canvases off the screen, of view transitions.
  'drawings',
  // View transitions that were started.
  'transitions',
  // The elements that there are.
  'elements',
] as const;

/** The work of a document and its frames since the last call, and what they wait for. */
export type Activity = Record<(typeof ACTIVITY_NAMES)[number], number>;

export const NO_ACTIVITY = Object.fromEntries(ACTIVITY_NAMES.map((name) => [name, 0])) as Activity;

/**
 * Leaves functions in the window that return what the document and its frames do. A frame of another origin
 * is asked by a message, whose reply counts in the next call. Scripts do not receive these messages.
 */
export const ACTIVITY = `
  const { getAnimations, getElementsByTagName } = Document.prototype;
  const { stopImmediatePropagation } = Event.prototype;
  const { get: getData } = getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  const { postMessage } = window;
  const NAMES = ${JSON.stringify(ACTIVITY_NAMES)};
  const ASK = 'ask';

  const add = (sum, activity) => {
    for (let at = 0; at < NAMES.length; at += 1) {
      const value = activity[NAMES[at]];
      if (typeof value === 'number') sum[NAMES[at]] = (sum[NAMES[at]] ?? 0) + value;
    }
  };
  const send = (target, value) => apply(postMessage, target, [{ __proto__: null, '${CONTROL}': value }, '*']);
  const forEachFrame = (visit, onOtherOrigin) => {
    for (let at = 0; at < window.length; at += 1) {
      try {
        visit(window[at]['${CONTROL}']);
      } catch {
        onOtherOrigin(window[at]);
      }
    }
  };
  let replied = { __proto__: null };
  const takeActivity = () => {
    const activity = {
      pending,
      changes,
      timers: timers.size,
      repeating: intervals.size + waitingCount + window.length,
      animations: apply(getAnimations, document, []).length,
      printQueries: printQueries.length,
      drawings,
      transitions,
      elements: apply(getElementsByTagName, document, ['*']).length,
    };
    add(activity, replied);
    replied = { __proto__: null };
    changes = 0;
    forEachFrame((control) => add(activity, control.takeActivity()), (frame) => send(frame, ASK));
    return activity;
  };
  const announceAll = () => {
    announcePrint();
    // A frame of another origin has no such event.
    forEachFrame((control) => control.announcePrint(), () => {});
  };
  const onMessage = (event) => {
    const value = apply(getData, event, [])?.['${CONTROL}'];
    if (value === undefined || value === null) return;
    apply(stopImmediatePropagation, event, []);
    if (value === ASK) {
      const activity = takeActivity();
      // Its work in other threads is done by the next reply.
      send(parent, { ...activity, pending: 0, changes: activity.changes + activity.pending });
    } else add(replied, value);
  };
  const listen = () => apply(addEventListener, window, ['message', onMessage, true]);
  const observeDocument = (callback, kinds) => apply(observe, new Observer(callback), [document, kinds]);
  const observeChanges = () => {
    const kinds = { __proto__: null, subtree: true, childList: true, attributes: true, characterData: true };
    observeDocument(() => { changes += 1; }, kinds);
  };
  const start = (ms) => {
    restartClock(ms);
    // The content of a document is set by opening it again, which removes listeners: this adds it as the first.
    observeDocument(listen, { __proto__: null, childList: true });
  };
  if (window !== top) {
    listen();
    apply(addEventListener, window, ['load', observeChanges]);
  }
  defineProperty(window, '${CONTROL}', {
    value: freeze({ __proto__: null, start, observeChanges, takeActivity, listErrors, announcePrint: announceAll, getOffset: () => offsetMs }),
  });
`;

/**
 * All of a document is printed, so all of it is visible to observers, not only its first screen: images that
 * load when they become visible are loaded.
 */
export const OBSERVERS = `
  const EVERYWHERE = '1000000px';
  wrapClass('IntersectionObserver', (args) => {
    const { root, threshold, trackVisibility, delay } = args[1] ?? {};
    if (root !== undefined && root !== null) return args;
    return [args[0], { __proto__: null, threshold, trackVisibility, delay, rootMargin: EVERYWHERE }];
  });
`;

/**
 * Counts work in progress in other threads and processes (databases, cryptography, WebAssembly, decoding of
 * images), which virtual time does not wait for, and messages of workers.
 */
export const PENDING_WORK = `
  let pending = 0;
  let changes = 0;
  const begin = () => {
    let isPending = true;
    pending += 1;
    return () => {
      if (isPending) pending -= 1;
      isPending = false;
    };
  };
  const trackPromise = (result) => {
    if (result instanceof NativePromise) {
      const end = begin();
      apply(then, result, [end, end]);
    }
    return result;
  };
  const trackEvents = (types) => (result, self) => {
    const end = begin();
    for (let at = 0; at < types.length; at += 1) apply(addEventListener, result ?? self, [types[at], end]);
    return result;
  };
  const classes = [
    'SubtleCrypto', 'CacheStorage', 'Cache', 'CookieStore', 'StorageManager', 'ServiceWorkerContainer',
    'FileSystemHandle', 'FileSystemFileHandle', 'FileSystemDirectoryHandle', 'FileSystemWritableFileStream',
    'Blob', 'ImageDecoder', 'BaseAudioContext', 'OfflineAudioContext', 'FontFaceSet', 'Permissions',
  ];
  for (const name of classes) {
    const owner = window[name]?.prototype;
    if (owner) wrap(owner, getOwnPropertyNames(owner), trackPromise);
  }
  wrap(WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'], trackPromise);
  wrap(window, ['createImageBitmap'], trackPromise);
  wrap(window.LockManager?.prototype, ['query'], trackPromise);
  wrap(window.IDBFactory?.prototype, ['databases'], trackPromise);
  wrap(window.IDBFactory?.prototype, ['open', 'deleteDatabase'], trackEvents(['success', 'error', 'blocked']));
  wrap(window.IDBDatabase?.prototype, ['transaction'], trackEvents(['complete', 'abort']));
  wrap(
    window.FileReader?.prototype,
    ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'],
    trackEvents(['loadend']),
  );
  // What these show or wait for is drawn by the browser, so its frames must be drawn.
  let drawings = 0;
  const countDrawing = (result) => { drawings += 1; return result; };
  wrap(HTMLCanvasElement.prototype, ['transferControlToOffscreen', 'captureStream'], countDrawing);
  let transitions = 0;
  wrap(Document.prototype, ['startViewTransition'], (result) => { transitions += 1; return countDrawing(result); });
  wrap(HTMLImageElement.prototype, ['decode'], countDrawing);
  wrap(window.SVGImageElement?.prototype, ['decode'], countDrawing);
  wrap(window.PerformanceObserver?.prototype, ['observe'], countDrawing);
  const { toBlob } = HTMLCanvasElement.prototype;
  define(HTMLCanvasElement.prototype, 'toBlob', function (callback, type, quality) {
    let end = () => {};
    apply(toBlob, this, [(blob) => { end(); callback(blob); }, type, quality]);
    // It throws if the document may not read the canvas.
    end = begin();
  });

  const countMessage = () => { changes += 1; };
  wrap(window.Worker?.prototype, ['postMessage'], (result) => { countMessage(); return result; });
  wrapClass('Worker', (args) => args, (worker) => { apply(addEventListener, worker, ['message', countMessage]); });
`;
