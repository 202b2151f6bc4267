/** A document can throw any number of errors, of any length: the first ones are kept, and their beginning. */
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
