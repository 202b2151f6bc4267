import { trimSpaces } from '#html';

/** An image candidate string of a srcset attribute. */
export interface SrcsetCandidate {
  url: string;
  /** The descriptors as they are written, without white space around them: "2x", "800w", "". */
  descriptors: string;
}

/** White space is that of HTML: \s has more. */
const BETWEEN_CANDIDATES = /[\t\n\f\r ,]*/y;
const URL_WITH_COMMAS = /[^\t\n\f\r ]*/y;

/**
 * Lists the candidates of a srcset attribute in order (HTML standard §4.8.4.2.2, "parse a srcset attribute"),
 * also those whose descriptors are not valid. Takes time proportional to the length.
 */
export function parseSrcset(value: string): SrcsetCandidate[] {
  const candidates: SrcsetCandidate[] = [];
  let start = skip(BETWEEN_CANDIDATES, value, 0);
  while (start < value.length) {
    const blank = skip(URL_WITH_COMMAS, value, start);
    let end = blank;
    while (value[end - 1] === ',') end -= 1;
    // A comma at the end of the URL ends the candidate: it has no descriptors.
    const next = end < blank ? blank : skipDescriptors(value, blank);
    candidates.push({ url: value.slice(start, end), descriptors: trimSpaces(value.slice(blank, next)) });
    start = skip(BETWEEN_CANDIDATES, value, next);
  }
  return candidates;
}

/** Returns the offset of the next comma outside of parentheses, which the end of the text closes. */
function skipDescriptors(value: string, from: number): number {
  let at = from;
  while (at < value.length && value[at] !== ',') {
    const close = value[at] === '(' ? value.indexOf(')', at) : at;
    if (close < 0) return value.length;
    at = close + 1;
  }
  return at;
}

/** Returns the offset after what the sticky pattern matches at `from`. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}
