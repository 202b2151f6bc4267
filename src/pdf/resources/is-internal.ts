/** Checks whether a URL needs no request. */
export function isInternal(url: string): boolean {
  return url.startsWith('#') || /^data:/i.test(url);
}
