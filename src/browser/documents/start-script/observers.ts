/**
 * Counts observers of layout: they are called when a frame is shown. All of a document is printed, so all of
 * it is visible to them, not only its first screen: images that load when they become visible are loaded.
 */
export const OBSERVERS = `
  const EVERYWHERE = '1000000px';
  let observers = 0;
  wrapClass('ResizeObserver', (args) => { observers += 1; return args; });
  wrapClass('IntersectionObserver', (args) => {
    observers += 1;
    const { root, threshold, trackVisibility, delay } = args[1] ?? {};
    if (root !== undefined && root !== null) return args;
    return [args[0], { __proto__: null, threshold, trackVisibility, delay, rootMargin: EVERYWHERE }];
  });
`;
