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
 * Needs the warm lane: strings that are URLs, selectors and functions that see the value of a `src` or
 * `background`, which is replaced, fonts of which a browser loads only those that it needs, and queries for
 * scripting.
 */
const DYNAMIC =
  /image-set\(|(?<![\w-])src\(|(?:\[[^[\]"'{}]{0,99}?|attr\([^()"'{}]{0,99}?)\b(?:src|background(?!\s*\]))|unicode-range|\bscripting\b|-webkit-locale/i;
const MOVING = /animation|@keyframes|@starting-style|timeline/i;
const COLOR_SCHEME = /color-scheme/i;

/**
 * An escaped letter could spell a name that is looked for. Punctuation, digits and control characters
 * (`\:`, `\32`, `\9`) cannot.
 */
const ESCAPED_LETTER = /\\(?!3?[0-9a-f](?![0-9a-f]))[0-9a-z]/iy;
const TOKEN = /\/\*|["'\\}]|@(?:import|namespace|font-face)(?![\w-])|(?<![\w\\-])url\(/gi;
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
    const token = match[0].toLowerCase();
    if (token === '@font-face') kind = 'font';
    else if (token === '}') kind = 'image';
    else TOKEN.lastIndex = scanToken(css, { token, start: match.index, kind }, result);
    if (result.urls.length <= MAX_URLS) continue;
    result.isDynamic = true;
    break;
  }
  return result;
}

interface CssToken {
  token: string;
  start: number;
  /** The kind of a URL here. */
  kind: 'image' | 'font';
}

/** Handles one token. Returns the offset after it. */
function scanToken(css: string, { token, start, kind }: CssToken, result: ScannedCss): number {
  switch (token) {
    case '/*':
      return skipBlanks(css, start);
    case '"':
    case "'":
      return endOfString(css, start);
    case '\\':
      ESCAPED_LETTER.lastIndex = start;
      result.isDynamic ||= ESCAPED_LETTER.test(css);
      return start + 2;
    case '@namespace': {
      const end = css.indexOf(';', start);
      return end < 0 ? css.length : end;
    }
    case '@import':
      return scanImport(css, skipBlanks(css, start + token.length), result);
    default:
      return addUrl(css, start, kind, result);
  }
}

function addUrl(css: string, start: number, kind: CssUrl['kind'], result: ScannedCss): number {
  const { url, end } = parseUrlToken(css, start);
  // One without its end is valid at the end of the text.
  if (url === null && end === css.length) result.isDynamic = true;
  if (url !== null) result.urls.push({ kind, url, start, end });
  return end;
}

function scanImport(css: string, start: number, result: ScannedCss): number {
  let end = start;
  if (css[start] === '"' || css[start] === "'") {
    end = endOfString(css, start);
    result.urls.push({ kind: 'import', url: unescapeCss(sliceString(css, start, end)), start, end });
  } else if (css.slice(start, start + 4).toLowerCase() === 'url(') end = addUrl(css, start, 'import', result);
  const next = css[skipBlanks(css, end)];
  // A condition, a layer, or what is no rule.
  if (next !== ';' && next !== undefined) result.isDynamic = true;
  return end;
}

const BLANKS = /(?:[ \t\r\n\f]+|\/\*[^]*?(?:\*\/|$))*/y;
const STRINGS = { '"': /"(?:[^"\\\r\n\f]|\\[^])*"?/y, "'": /'(?:[^'\\\r\n\f]|\\[^])*'?/y };
const UNQUOTED = /(?:[^\s"'()\\]|\\[^\r\n\f])*/y;
const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|\r\n|([^]))/gi;

/** Returns the offset after blanks and comments. */
function skipBlanks(css: string, from: number): number {
  BLANKS.lastIndex = from;
  BLANKS.test(css);
  return BLANKS.lastIndex;
}

/** Returns the offset after the string that begins at `start`. A line break ends an unclosed one. */
function endOfString(css: string, start: number): number {
  const pattern = css[start] === '"' ? STRINGS['"'] : STRINGS["'"];
  pattern.lastIndex = start;
  pattern.test(css);
  return pattern.lastIndex;
}

/** Returns the content of the string from `start` to `end`, which may lack its last quote. */
function sliceString(css: string, start: number, end: number): string {
  const isClosed = end > start + 1 && css[end - 1] === css[start];
  return css.slice(start + 1, isClosed ? end - 1 : end);
}

/** Parses the url() token at `start`. Returns its URL, null if it is not valid, and the offset after it. */
function parseUrlToken(css: string, start: number): { url: string | null; end: number } {
  const valueStart = skipWhitespace(css, start + 'url('.length);
  const isString = css[valueStart] === '"' || css[valueStart] === "'";
  let valueEnd: number;
  if (isString) {
    valueEnd = endOfString(css, valueStart);
  } else {
    UNQUOTED.lastIndex = valueStart;
    UNQUOTED.test(css);
    valueEnd = UNQUOTED.lastIndex;
  }
  const end = skipWhitespace(css, valueEnd);
  if (css[end] !== ')') {
    const close = css.indexOf(')', end);
    return { url: null, end: close < 0 ? css.length : close + 1 };
  }
  const value = isString ? sliceString(css, valueStart, valueEnd) : css.slice(valueStart, valueEnd);
  return { url: unescapeCss(value), end: end + 1 };
}

/** Decodes the escapes of a string or a URL. */
function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_all, code: string | undefined, character: string | undefined) => {
    if (code === undefined) return character === undefined || /[\r\n\f]/.test(character) ? '' : character;
    const point = Number.parseInt(code, 16);
    const isValid = point > 0 && point <= 0x10_ff_ff && (point < 0xd8_00 || point > 0xdf_ff);
    return String.fromCodePoint(isValid ? point : 0xff_fd);
  });
}

function skipWhitespace(css: string, from: number): number {
  let at = from;
  while (/[ \t\r\n\f]/.test(css[at] ?? '')) at += 1;
  return at;
}

/** Checks for escapes in at-keywords and in @font-face rules. The style of an SVG may have references too. */
export function hasHiddenResource(css: string): boolean {
  if (/@[\w-]*(?:\\|&#)/.test(css)) return true;
  return css.split('}').some((block) => {
    const at = block.search(/@font-face/i);
    return at >= 0 && /\\|&#/.test(block.slice(at));
  });
}
