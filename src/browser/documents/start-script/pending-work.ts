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
  let tracksIterators = false;
  const trackIterator = (iterator) => {
    if (tracksIterators) return iterator;
    tracksIterators = true;
    const owner = getPrototypeOf(iterator);
    const { next } = owner;
    define(owner, 'next', function () { return trackPromise(apply(next, this, arguments)); });
    return iterator;
  };
  const iterators = ['keys', 'values', 'entries', Symbol.asyncIterator];
  wrap(window.FileSystemDirectoryHandle?.prototype, iterators, trackIterator);
  wrap(window.IDBFactory?.prototype, ['databases'], trackPromise);
  wrap(window.IDBFactory?.prototype, ['open', 'deleteDatabase'], trackEvents(['success', 'error', 'blocked']));
  wrap(window.IDBDatabase?.prototype, ['transaction'], trackEvents(['complete', 'abort']));
  wrap(
    window.FileReader?.prototype,
    ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText'],
    trackEvents(['loadend']),
  );
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
