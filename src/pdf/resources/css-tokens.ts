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
export function sliceString(css: string, start: number, end: number): string {
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
export function findEndOfBlock(css: string, from: number): { end: number; hasEscapes: boolean } {
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
