import { randomUUID } from 'node:crypto';

/** The name of the functions that the script leaves in each window. No document can know it in advance. */
export const CONTROL = `__${randomUUID()}`;

/**
 * Leaves functions in the window that return what the document and its frames do. A frame of another origin
 * is asked by a message, whose reply counts in the next call. Scripts do not receive these messages.
 */
export const ACTIVITY = `
  const { getAnimations } = Document.prototype;
  const { stopImmediatePropagation } = Event.prototype;
  const { get: getData } = getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  const { postMessage } = window;
  const NAMES = ['pending', 'changes', 'timers', 'repeating', 'animations', 'observers', 'printQueries'];
  const ASK = 'ask';

  const add = (sum, activity) => {
    for (let at = 0; at < NAMES.length; at += 1) {
      const value = activity[NAMES[at]];
      if (typeof value === 'number') sum[NAMES[at]] = (sum[NAMES[at]] ?? 0) + value;
    }
  };
  const send = (target, value) => apply(postMessage, target, [{ __proto__: null, '${CONTROL}': value }, '*']);
  let replied = { __proto__: null };
  const takeActivity = () => {
    const activity = {
      pending,
      changes,
      timers: timers.size,
      repeating: intervals.size + waitingCount + window.length,
      animations: apply(getAnimations, document, []).length,
      observers,
      printQueries: printQueries.length,
    };
    add(activity, replied);
    replied = { __proto__: null };
    observers = 0;
    changes = 0;
    for (let at = 0; at < window.length; at += 1) {
      try {
        add(activity, window[at]['${CONTROL}'].takeActivity());
      } catch {
        send(window[at], ASK);
      }
    }
    return activity;
  };
  const announceAll = () => {
    announcePrint();
    for (let at = 0; at < window.length; at += 1) {
      try {
        window[at]['${CONTROL}'].announcePrint();
      } catch {
        // A frame of another origin has no such event.
      }
    }
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
  const start = () => {
    restartClock();
    // The content of a document is set by opening it again, which removes listeners: this adds it as the first.
    observeDocument(listen, { __proto__: null, childList: true });
  };
  if (window !== top) {
    listen();
    apply(addEventListener, window, ['load', observeChanges]);
  }
  defineProperty(window, '${CONTROL}', {
    value: freeze({ __proto__: null, start, observeChanges, takeActivity, listErrors, announcePrint: announceAll }),
  });
`;
