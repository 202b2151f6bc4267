import { randomUUID } from 'node:crypto';

/** The name of the functions that the script leaves in each window. No document can know it in advance. */
export const CONTROL = `__${randomUUID()}`;

/**
 * Functions for the other parts. A document may replace each built-in function and each prototype later: the
 * parts use only what is kept here, objects without a prototype, and no iteration.
 */
export const TOOLS = `
  const { apply, construct } = Reflect;
  const { defineProperty, freeze, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const { addEventListener } = EventTarget.prototype;
  const NativePromise = Promise;
  const { then } = NativePromise.prototype;
  const Observer = MutationObserver;
  const { observe } = Observer.prototype;
  const startTimer = window.setTimeout;

  const define = (owner, name, value) => {
    if (owner !== undefined && owner !== null && typeof owner[name] === 'function')
      defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: true });
  };
  // Calls 'track(result, self)' after each call of these functions.
  const wrap = (owner, names, track) => {
    for (const name of names) {
      const original = owner && getOwnPropertyDescriptor(owner, name)?.value;
      if (typeof original !== 'function' || name === 'constructor') continue;
      define(owner, name, { [name]() { return track(apply(original, this, arguments), this); } }[name]);
    }
  };
  // Replaces a class by one that constructs with 'convert(args)', and calls 'track(object)' with the object.
  const wrapClass = (name, convert, track = () => {}) => {
    if (typeof window[name] !== 'function') return;
    const value = new Proxy(window[name], freeze({
      __proto__: null,
      construct: (target, args, newTarget) => {
        const object = construct(target, convert(args), newTarget);
        track(object);
        return object;
      },
    }));
    defineProperty(window, name, { value, writable: true, configurable: true });
  };
  const createSet = () => {
    const members = { __proto__: null };
    return {
      __proto__: null,
      size: 0,
      add(key) { if (!(key in members)) { members[key] = true; this.size += 1; } },
      delete(key) { if (key in members) { delete members[key]; this.size -= 1; } },
    };
  };
`;

/**
 * The medium is print from the start, so a media query for print never changes. Scripts that prepare the
 * document in a listener to that change are called before it is printed.
 */
export const PRINT_QUERIES = `
  const MAX_QUERIES = 1_000;
  const { matchMedia, MediaQueryListEvent } = window;
  const { dispatchEvent } = EventTarget.prototype;
  const { includes } = String.prototype;
  const printQueries = { __proto__: null, length: 0 };
  define(window, 'matchMedia', { matchMedia() {
    const list = apply(matchMedia, window, arguments);
    if (printQueries.length < MAX_QUERIES && apply(includes, list.media, ['print'])) {
      printQueries[printQueries.length] = list;
      printQueries.length += 1;
    }
    return list;
  } }.matchMedia);
  const announcePrint = () => {
    for (let at = 0; at < printQueries.length; at += 1) {
      const { media, matches } = printQueries[at];
      const options = { __proto__: null, media, matches };
      apply(dispatchEvent, printQueries[at], [new MediaQueryListEvent('change', options)]);
    }
  };
`;

/**
 * A document can throw any number of errors, of any length: only the beginnings of the first ones are kept.
 */
const MAX_ERRORS = 20;
const MAX_CHARACTERS = 300;

/**
 * Keeps the errors that no script caught. A document handles one itself if it calls `preventDefault`, which
 * is known only after its own listeners.
 *
 * Setting the content of the document removes the listeners of its window, but not observers: they are called
 * before the first script of the new content.
 */
export const SCRIPT_ERRORS = `
  const getterOf = (owner, name) => getOwnPropertyDescriptor(owner.prototype, name).get;
  const getMessage = getterOf(ErrorEvent, 'message');
  const getFile = getterOf(ErrorEvent, 'filename');
  const getLine = getterOf(ErrorEvent, 'lineno');
  const getReason = getterOf(PromiseRejectionEvent, 'reason');
  const isPrevented = getterOf(Event, 'defaultPrevented');
  const { slice } = String.prototype;
  const toText = String;
  const errors = { __proto__: null };
  let errorCount = 0;
  const keepErrors = (type, describe) => {
    const listener = (event) => {
      if (errorCount >= ${MAX_ERRORS}) return;
      // An event that a script dispatches may be of any class, and a reason may throw.
      try {
        const { message, file, line } = describe(event);
        const shorten = (text) => apply(slice, text, [0, ${MAX_CHARACTERS}]);
        errors[errorCount] = { __proto__: null, event, message: shorten(message), file: shorten(file), line };
        errorCount += 1;
      } catch {}
    };
    const listen = () => apply(addEventListener, window, [type, listener]);
    apply(observe, new Observer(listen), [document, { __proto__: null, childList: true }]);
  };
  keepErrors('error', (event) => ({
    __proto__: null,
    message: apply(getMessage, event, []),
    file: apply(getFile, event, []),
    line: apply(getLine, event, []),
  }));
  keepErrors('unhandledrejection', (event) => ({
    __proto__: null,
    message: toText(apply(getReason, event, [])),
    file: '',
    line: 0,
  }));
  const listErrors = () => {
    const list = { __proto__: null };
    for (let index = 0; index < errorCount; index += 1) {
      const { event, message, file, line } = errors[index];
      if (!apply(isPrevented, event, [])) list[index] = { __proto__: null, message, file, line };
    }
    return list;
  };
`;
