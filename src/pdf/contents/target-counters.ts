import { type FetchResource, isFailure } from '#browser';

/** The beginning of the function, as it is found in texts. */
export const TARGET_COUNTER = 'target-counter(';
/**
 * As much as the CSS of a request. Larger style sheets, and further style elements, stay as they are: each
 * token takes time and memory, and a style sheet of a site may be 50 MiB of them.
 */
export const MAX_STYLE_CHARACTERS = 512 * 1024;
/**
 * The function for the page of a link's target, with its counter style, and before it the tokens that may
 * contain its text: comments, strings, escapes, URLs.
 */
const TOKEN =
  /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\r\n\f]|\\[^])*"?|'(?:[^'\\\r\n\f]|\\[^])*'?|\\[^]|(?<![\w-])url\(\s*[^\s"')](?:[^)\\]|\\[^])*|(?<![\w-])(target-counter)\(\s{0,20}attr\(\s{0,20}href(?:\s{0,20}[\s,]\s{0,20}url)?\s{0,20}\)\s{0,20},\s{0,20}page\s{0,20}(?:,\s{0,20}([a-z-]{1,40})\s{0,20})?\)/gi;

/** Returns what stands in the place of a token: Chromium knows custom properties and counters. */
function replaceToken(token: string, isFunction?: string, style?: string): string {
  if (isFunction === undefined) return token;
  if (style === undefined) return 'var(--page-number,"")';
  return `if(style(--page-number): counter(--page-number,${style}); else: "")`;
}

/**
 * Replaces `target-counter(attr(href), page)` (CSS Generated Content Level 3 §2.2), which Chromium does not
 * know, with the custom property or the counter that links have (`formatShowNumbers`).
 */
export function rewriteTargetCounters(css: string): string {
  return css.includes(TARGET_COUNTER) ? css.replace(TOKEN, replaceToken) : css;
}

/** The same function, for a page. */
export const REWRITE_SCRIPT = `(css) => css.replace(${String(TOKEN)}, ${String(replaceToken)})`;

/** The ways in which a document shows page numbers. Its style sheets add to it while they load. */
export interface ContentsMarks {
  /** CSS may show the number of any link. */
  hasCounters: boolean;
}

/** Finds how the source of a document shows page numbers. */
export function findMarks(html: string): ContentsMarks {
  return { hasCounters: html.includes(TARGET_COUNTER) };
}

/**
 * Returns a fetcher that rewrites target-counter() in style sheets and notes it in `marks`, unless the
 * document has hashes of them.
 */
export function rewriteStyleSheets(
  fetchResource: FetchResource,
  html: string,
  marks: ContentsMarks,
): FetchResource {
  if (/integrity/i.test(html)) return fetchResource;
  return async (request, signal) => {
    const resource = await fetchResource(request, signal);
    if (isFailure(resource)) return resource;
    const { buffer, byteOffset, byteLength } = resource.body;
    const body = Buffer.from(buffer, byteOffset, byteLength);
    if (byteLength > MAX_STYLE_CHARACTERS) return resource;
    const type = resource.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    if (!/css/i.test(type) || !body.includes(TARGET_COUNTER)) return resource;
    marks.hasCounters = true;
    // In latin1 each byte is a character, whatever the encoding is.
    return { ...resource, body: Buffer.from(rewriteTargetCounters(body.toString('latin1')), 'latin1') };
  };
}
