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
