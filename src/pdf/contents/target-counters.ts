import { scanHtml } from '#html';
import { endOfString, parseUrlToken, skipBlanks } from '../load/scan-css.ts';
import { DEFAULT_STYLE, toCounterStyle, toNumberProperty } from './counter-styles.ts';

/** The beginning of the function, as it is found in texts. */
export const TARGET_COUNTER = 'target-counter(';
/** The functions, and the tokens that may contain their text. */
const TOKEN = /\/\*|["'\\]|(?<![\w-])(?:url|target-counter)\(/gi;
/** The arguments for the page of a link's target: `attr(href), page, lower-roman)`. */
const ARGUMENTS =
  /\s{0,20}attr\(\s{0,20}href(?:\s{0,20}[\s,]\s{0,20}url)?\s{0,20}\)\s{0,20},\s{0,20}page\s{0,20}(?:,\s{0,20}([a-z-]{1,40})\s{0,20})?\)/iy;

/**
 * Replaces `target-counter(attr(href), page)` (CSS Generated Content Level 3 §2.2), which Chromium does not
 * know, with a custom property that has the page number. Adds the counter styles to `styles`.
 */
export function rewriteTargetCounters(css: string, styles: Set<string>): string {
  if (!css.includes(TARGET_COUNTER)) return css;
  let result = '';
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(css); match; match = TOKEN.exec(css)) {
    const { 0: token, index } = match;
    if (token === '/*') TOKEN.lastIndex = skipBlanks(css, index);
    else if (token === '"' || token === "'") TOKEN.lastIndex = endOfString(css, index);
    else if (token === '\\') TOKEN.lastIndex = index + 2;
    else if (token.length < TARGET_COUNTER.length) TOKEN.lastIndex = parseUrlToken(css, index).end;
    else {
      ARGUMENTS.lastIndex = TOKEN.lastIndex;
      const found = ARGUMENTS.exec(css);
      if (!found) continue;
      const style = toCounterStyle(found[1] ?? DEFAULT_STYLE);
      styles.add(style);
      result += `${css.slice(from, index)}var(${toNumberProperty(style)},"")`;
      from = ARGUMENTS.lastIndex;
      TOKEN.lastIndex = from;
    }
  }
  return result + css.slice(from);
}

/** Does the same in the style elements of a document. */
export function rewriteStyleElements(html: string, styles: Set<string>): string {
  if (!html.includes(TARGET_COUNTER)) return html;
  let result = '';
  let from = 0;
  for (const { kind, name, start, end } of scanHtml(html)) {
    if (kind !== 'raw' || name !== 'style') continue;
    result += html.slice(from, start) + rewriteTargetCounters(html.slice(start, end), styles);
    from = end;
  }
  return result + html.slice(from);
}
