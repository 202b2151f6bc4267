/** A file of a font, in a `src` descriptor. The text from `start` to `end` is its url() token. */

interface FontSource {
  url: string;
  start: number;
  end: number;
}

/** The beginnings of a string, a comment and a url() token, and the end of the descriptor. */
const NEXT = /["';]|\/\*|url\(/gi;
const DESCRIPTOR = /(?<![\w-])src\s*:/gi;
const FORMAT = /format\(\s*(["']?)([\w-]+)\1\s*\)/iy;
/** The formats that the browser can use. It fetches no file of another one. */
const FORMATS = /^(?:woff2?|truetype|opentype|collection)(?:-variations)?$/i;

/**
 * Lists the files of the last `src` descriptor in the block of a @font-face rule that a browser would try, in
 * order (CSS Fonts Module Level 4 §4.3).
 */
function parseFontSources(css: string): FontSource[] {
  const sources: FontSource[] = [];
  let at = findLastDescriptor(css);
  while (at < css.length) {
    at = skipBlanks(css, at);
    if (css[at] === ';') break;
    if (css[at] === '"' || css[at] === "'") {
      at = endOfString(css, at);
    } else if (css.slice(at, at + 4).toLowerCase() === 'url(') {
      const { url, end } = parseUrlToken(css, at);
      FORMAT.lastIndex = skipBlanks(css, end);
      const format = FORMAT.exec(css)?.[2];
      if (url !== null && (format === undefined || FORMATS.test(format)))
        sources.push({ url, start: at, end });
      at = end;
    } else {
      NEXT.lastIndex = at + 1;
      at = NEXT.exec(css)?.index ?? css.length;
    }
  }
  return sources;
}

function findLastDescriptor(css: string): number {
  let last = css.length;
  DESCRIPTOR.lastIndex = 0;
  while (DESCRIPTOR.test(css)) last = DESCRIPTOR.lastIndex;
  return last;
}

/** Parts of the CSS syntax (CSS Syntax Module Level 3 §4). Offsets are UTF-16 units. */
const BLANKS = /(?:[ \t\r\n\f]+|\/\*[^]*?(?:\*\/|$))*/y;
const STRINGS = { '"': /"(?:[^"\\\r\n\f]|\\[^])*"?/y, "'": /'(?:[^'\\\r\n\f]|\\[^])*'?/y };
const UNQUOTED = /(?:[^\s"'()\\]|\\[^\r\n\f])*/y;
const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|\r\n|([^]))/gi;
/** The parts of a block that matter: comments, strings, url() tokens, and its end. */
const IN_BLOCK = /\/\*|["'}]|\burl\(|\\[^]/gi;

/** Returns the offset after blanks and comments. */
export function skipBlanks(css: string, from: number): number {
  BLANKS.lastIndex = from;
  BLANKS.test(css);
  return BLANKS.lastIndex;
}

/** Returns the offset after the string that begins at `start`. A line break ends an unclosed one. */
export function endOfString(css: string, start: number): number {
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

/**
 * Parses the url() token at `start`. Returns its URL, null if it is not valid, and the offset after it.
 */
export function parseUrlToken(css: string, start: number): { url: string | null; end: number } {
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

/**
 * Finds the "}" that ends the block around `from`, or the end of the text. `hasEscapes`: the block has
 * escapes outside of strings and URLs.
 */
function findEndOfBlock(css: string, from: number): { end: number; hasEscapes: boolean } {
  let hasEscapes = false;
  IN_BLOCK.lastIndex = from;
  for (let match = IN_BLOCK.exec(css); match; match = IN_BLOCK.exec(css)) {
    const token = match[0];
    if (token === '}') return { end: match.index, hasEscapes };
    hasEscapes ||= token.startsWith('\\');
    if (token === '/*') IN_BLOCK.lastIndex = skipBlanks(css, match.index);
    else if (token === '"' || token === "'") IN_BLOCK.lastIndex = endOfString(css, match.index);
    else if (token.endsWith('(')) IN_BLOCK.lastIndex = parseUrlToken(css, match.index).end;
  }
  return { end: css.length, hasEscapes };
}

/** Decodes the escapes of an identifier, a string or a URL. */
export function unescapeCss(text: string): string {
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

/**
 * A URL in CSS that a browser may fetch. The text from `start` to `end` can be replaced by a url() token.
 */
interface CssUrl {
  kind: 'image' | 'import';
  url: string;
  start: number;
  end: number;
}

/** The resources that CSS loads, and its effects on a page that is used again. */
export interface ScannedCss {
  urls: CssUrl[];
  fonts: FontFace[];
  /** It depends on scripting, or loads something in a way that is not among `urls` and `fonts`. */
  isDynamic: boolean;
  /** It may have animations. */
  isMoving: boolean;
  /** It may change the color scheme of the page. */
  hasColorScheme: boolean;
}

/** One @font-face rule. */
export interface FontFace {
  /** The files in the order in which a browser tries them. */
  sources: FontSource[];
  /** The value of unicode-range; null if the font is for all characters. */
  unicodeRange: string | null;
  /** It may use a font of the machine. */
  hasLocal: boolean;
}

/**
 * Other ways to load something: image-set() and src() with strings, selectors and functions that see an
 * attribute that is replaced, and queries for scripting.
 */
const DYNAMIC =
  /image-set\(|(?<![\w-])src\(|(?:\[[\s*|]*|attr\(\s*)(?:src|media|integrity|background(?!\s*\]))|\bscripting\b|-webkit-locale/i;
const MOVING = /animation|@keyframes|@starting-style|timeline/i;
const COLOR_SCHEME = /color-scheme/i;
/** A local() with more than a name: it may contain what looks like another source, or end the descriptor. */
const UNCERTAIN_LOCAL = /local\((?![^"'()[\]{};\\/]*(?:(?:"[^"\\\r\n\f]*"|'[^'\\\r\n\f]*')[ \t\r\n\f]*)?\))/i;
/** Names that an identifier with escapes may not have: no other pattern would match them. */
const ESCAPED =
  /^(?:url|src|srcset|media|integrity|background|local|.*image-set|import|font-face|.*animation.*|keyframes|color-scheme|scripting|-webkit-locale)$/;

const TOKEN = /\/\*|["'\\]|@(?:import|namespace|font-face)(?![\w-])|(?<![\w\\-])url\(/gi;
const ESCAPED_IDENTIFIER = /(?:[\w-]|[^\0-\x7f]|\\(?:[0-9a-f]{1,6}[ \t\r\n\f]?|[^\r\n\f]))+/iy;
const IDENTIFIER_START = /[\w-]*$/;
/** A longer identifier is not decoded. */
const MAX_IDENTIFIER = 256;
/** More URLs and fonts than any style sheet needs. */
const MAX_FOUND = 1_000;

/** Finds what a style sheet or a style attribute loads, in time proportional to its length. */
export function scanCss(css: string): ScannedCss {
  const result: ScannedCss = {
    urls: [],
    fonts: [],
    isDynamic: DYNAMIC.test(css),
    isMoving: MOVING.test(css),
    hasColorScheme: COLOR_SCHEME.test(css),
  };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(css); match; match = TOKEN.exec(css)) {
    TOKEN.lastIndex = scanToken(css, match, result);
    if (result.urls.length + result.fonts.length > MAX_FOUND) result.isDynamic = true;
    if (result.isDynamic) break;
  }
  return result;
}

/** Handles one token. Returns the offset after it. */
function scanToken(css: string, { 0: token, index }: RegExpExecArray, result: ScannedCss): number {
  const end = index + token.length;
  switch (token.toLowerCase()) {
    case '/*':
      return skipBlanks(css, index);
    case '"':
    case "'":
      return endOfString(css, index);
    case '\\':
      return scanEscape(css, index, result);
    case '@namespace':
      return endAfter(css, ';', end);
    case '@font-face':
      return scanFontFace(css, end, result);
    case '@import':
      return scanImport(css, skipBlanks(css, end), result);
    default:
      return addUrl(css, index, 'image', result);
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
  const quote = css[start];
  if (quote !== '"' && quote !== "'") {
    const isUrl = css.slice(start, start + 4).toLowerCase() === 'url(';
    return isUrl ? addUrl(css, start, 'import', result) : start;
  }
  const end = endOfString(css, start);
  result.urls.push({ kind: 'import', url: unescapeCss(sliceString(css, start, end)), start, end });
  return end;
}

function scanFontFace(css: string, from: number, result: ScannedCss): number {
  const { end, hasEscapes } = findEndOfBlock(css, from);
  const block = css.slice(from, end);
  if (hasEscapes || UNCERTAIN_LOCAL.test(block)) result.isDynamic = true;
  const unicodeRange = /unicode-range\s*:\s*([^;}]+)/i.exec(block)?.[1]?.trim() ?? null;
  const sources = parseFontSources(block).map((source) => ({
    url: source.url,
    start: from + source.start,
    end: from + source.end,
  }));
  result.fonts.push({ sources, unicodeRange, hasLocal: /local\(/i.test(block) });
  return end;
}

/** Decodes an identifier with escapes: it may spell what is looked for in another way. */
function scanEscape(css: string, index: number, result: ScannedCss): number {
  const before = IDENTIFIER_START.exec(css.slice(Math.max(0, index - MAX_IDENTIFIER), index));
  const start = index - (before?.[0].length ?? 0);
  ESCAPED_IDENTIFIER.lastIndex = start;
  const identifier = ESCAPED_IDENTIFIER.exec(css)?.[0] ?? '';
  const isLong = identifier.length > MAX_IDENTIFIER;
  if (isLong || ESCAPED.test(unescapeCss(identifier).toLowerCase())) result.isDynamic = true;
  return Math.max(index + 2, start + identifier.length);
}

function endAfter(css: string, text: string, from: number): number {
  const at = css.indexOf(text, from);
  return at < 0 ? css.length : at + text.length;
}

/** Checks for escapes in at-keywords and in @font-face rules. The style of an SVG may have references too. */
export function hasHiddenResource(css: string): boolean {
  if (/@[\w-]*(?:\\|&#)/.test(css)) return true;
  return css.split('}').some((block) => {
    const at = block.search(/@font-face/i);
    return at >= 0 && /\\|&#/.test(block.slice(at));
  });
}
