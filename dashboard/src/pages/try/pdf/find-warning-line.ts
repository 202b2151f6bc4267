/** Finds the line of a document that a warning is about. */

/** Returns the number of the first line with the URL that the warning names; null if there is none. */
export function findWarningLine(warning: string, html: string): number | null {
  const url = /https?:\/\/[^\s"'()]+/.exec(warning)?.[0]?.replace(/[.,;:]+$/, '');
  if (url === undefined) return null;
  let at = html.indexOf(url);
  // A relative link: the warning names the absolute URL.
  const name = url.split('/').at(-1) ?? '';
  if (at < 0 && name.length > 3) at = html.indexOf(name);
  return at < 0 ? null : html.slice(0, at).split('\n').length;
}
