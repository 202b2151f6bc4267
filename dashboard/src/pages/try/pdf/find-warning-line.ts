/** Finds the line of a document that a warning is about. */

/** Returns the number of the first line with the URL that the warning names; null if there is none. */
export function findWarningLine(warning: string, html: string): number | null {
  const url = /https?:\/\/[^\s"'()]+/.exec(warning)?.[0]?.replace(/[.,;:]+$/, '');
  if (url === undefined) return null;
  // A relative link: the warning names the absolute URL.
  const name = url.split('/').at(-1) ?? '';
  const at = findWhole(html, url) ?? (name.length > 3 ? findWhole(html, name) : null);
  return at === null ? null : html.slice(0, at).split('\n').length;
}

/** Returns where the text is found and the URL does not go on after it; null if nowhere. */
function findWhole(html: string, text: string): number | null {
  for (let at = html.indexOf(text); at >= 0; at = html.indexOf(text, at + 1))
    if (!/[\w/%-]/.test(html[at + text.length] ?? ' ')) return at;
  return null;
}
