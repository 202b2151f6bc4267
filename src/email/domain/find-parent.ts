/** Finds the nearest of a name and its parents for which `isMatch` holds; null without one. */
export function findParent(name: string, isMatch: (name: string) => boolean): string | null {
  for (let current = name; ;) {
    if (isMatch(current)) return current;
    const dot = current.indexOf('.');
    if (dot === -1) return null;
    current = current.slice(dot + 1);
  }
}
