/**
 * Finds what CSS loads, without a parse tree: it knows strings, comments and url() tokens (CSS Syntax Module
 * Level 3 §4). Whatever could spell a URL in another way makes the CSS `isDynamic`.
 */

/** A URL that CSS names. The text from `start` to `end` can be replaced by a url() token. */
export interface CssUrl {
  kind: 'image' | 'font' | 'import';
  url: string;
  start: number;
  end: number;
}

/** The URLs of CSS, and its effects on a page that is used again. */
export interface ScannedCss {
  /** All of them, whether or not a browser would load them. */
  urls: CssUrl[];
  /** It needs the warm lane: it may depend on scripting, a condition, or a URL that is not in `urls`. */
  isDynamic: boolean;
  /** It may have animations. */
  isMoving: boolean;
  /** It may change the color scheme of the page. */
  hasColorScheme: boolean;
}

/**
 * Needs the warm lane: strings that are URLs or names of namespaces, selectors and functions that see the
 * value of a `src` or `background`, which is replaced, fonts of which a browser loads only those that it
 * needs, and queries for scripting.
 */
const DYNAMIC =
  /image-set\(|(?<![\w-])src\(|(?:\[[^[\]"'{}]{0,99}?|attr\([^()"'{}]{0,99}?)\b(?:src|background(?!\s*\]))|unicode-range|\bscripting\b|-webkit-locale|@namespace/i;
const MOVING = /animation|@keyframes|@starting-style|timeline/i;
const COLOR_SCHEME = /color-scheme/i;
/** The animations of an SVG, also as they are escaped in a URL. */
const MOVING_SVG = /animat|keyframes|(?:<|%3c)set\b/i;

/**
 * An escaped letter could spell a name that is looked for. Punctuation, digits and control characters
 * (`\:`, `\32`, `\9`) cannot.
 */
const ESCAPED_LETTER = /\\(?!3?[0-9a-f](?![0-9a-f]))[0-9a-z]/iy;
const TOKEN = /\/\*|["'\\}]|@(?:import|font-face)(?![\w-])|(?<![\w\\-])url\(/gi;
const BLANKS = /(?:[ \t\r\n\f]+|\/\*[^]*?(?:\*\/|$))*/y;
/** A string: a line break ends an unclosed one. */
const STRING = /"((?:[^"\\\r\n\f]|\\[^])*)"?|'((?:[^'\\\r\n\f]|\\[^])*)'?/y;
const URL_TOKEN =
  /url\([ \t\r\n\f]*(?:(?:"((?:[^"\\\r\n\f]|\\[^])*)"|'((?:[^'\\\r\n\f]|\\[^])*)'|((?:[^\s"'()\\]|\\[^\r\n\f])+))[ \t\r\n\f]*)?\)/iy;
const BAD_URL = /url\([^"')]*\)?/iy;
/** More URLs than any style sheet needs. */
const MAX_URLS = 1_000;

/** Finds what a style sheet or a style attribute loads, in time proportional to its length. */
export function scanCss(css: string): ScannedCss {
  const result: ScannedCss = {
    urls: [],
    isDynamic: DYNAMIC.test(css),
    isMoving: MOVING.test(css),
    hasColorScheme: COLOR_SCHEME.test(css),
  };
  let kind: 'image' | 'font' = 'image';
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(css); match; match = TOKEN.exec(css)) {
    const { 0: token, index } = match;
    const name = token.toLowerCase();
    if (name === '@font-face') kind = 'font';
    else if (token === '}') kind = 'image';
    else if (token === '/*') TOKEN.lastIndex = skip(BLANKS, css, index);
    else if (token === '"' || token === "'") TOKEN.lastIndex = skip(STRING, css, index);
    else if (token === '\\') {
      result.isDynamic ||= skip(ESCAPED_LETTER, css, index) > index;
      TOKEN.lastIndex = index + 2;
    } else if (name === '@import') TOKEN.lastIndex = scanImport(css, index + token.length, result);
    else TOKEN.lastIndex = addUrl(css, index, kind, result);
    if (result.urls.length <= MAX_URLS) continue;
    result.isDynamic = true;
    break;
  }
  return result;
}

/** Returns the offset after what `pattern` matches at `from`. */
function skip(pattern: RegExp, css: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(css) ? pattern.lastIndex : from;
}

function scanImport(css: string, from: number, result: ScannedCss): number {
  const end = addUrl(css, skip(BLANKS, css, from), 'import', result);
  const next = css[skip(BLANKS, css, end)];
  // A condition, a layer, or what is no rule.
  if (next !== ';' && next !== undefined) result.isDynamic = true;
  return end;
}

/** Adds the URL at `start`: a url() token, or the string of an @import. Returns the offset after it. */
function addUrl(css: string, start: number, kind: CssUrl['kind'], result: ScannedCss): number {
  const pattern = kind === 'import' && /["']/.test(css[start] ?? '') ? STRING : URL_TOKEN;
  pattern.lastIndex = start;
  const match = pattern.exec(css);
  const url = match?.slice(1).find((one) => one !== undefined) ?? '';
  // What is not valid, or has no end, or escapes.
  if (match === null || url.includes('\\') || isMovingImage(url)) result.isDynamic = true;
  if (match === null) return skip(BAD_URL, css, start);
  result.urls.push({ kind, url, start, end: pattern.lastIndex });
  return pattern.lastIndex;
}

/** Checks whether a data: URL may be an SVG that moves: in the static lane, no time passes for it. */
export function isMovingImage(url: string): boolean {
  const [head, isBase64] = /^data:image\/svg[^,]*?(;base64)?,/i.exec(url) ?? [];
  if (head === undefined) return false;
  return MOVING_SVG.test(isBase64 ? Buffer.from(url.slice(head.length), 'base64').toString('latin1') : url);
}

/** Checks for escapes in at-keywords and in @font-face rules. The style of an SVG may have references too. */
export function hasHiddenResource(css: string): boolean {
  if (/@[\w-]*(?:\\|&#)/.test(css)) return true;
  return css.split('}').some((block) => {
    const at = block.search(/@font-face/i);
    return at >= 0 && /\\|&#/.test(block.slice(at));
  });
}
