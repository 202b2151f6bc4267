/**
 * Functions for the other parts. A document may replace each built-in function and each prototype later: the
 * parts use only what is kept here, objects without a prototype, and no iteration.
 */
export const TOOLS = `
  const { apply, construct } = Reflect;
  const { defineProperty, freeze, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf } = Object;
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
