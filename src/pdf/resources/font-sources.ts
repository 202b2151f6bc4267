import { endOfString, parseUrlToken, skipBlanks } from './css-tokens.ts';

/** A file of a font, in a `src` descriptor. The text from `start` to `end` is its url() token. */
export interface FontSource {
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
export function parseFontSources(css: string): FontSource[] {
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
