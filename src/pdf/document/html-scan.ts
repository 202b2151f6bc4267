/** A piece of HTML source as the tokenizer of the HTML standard (§13.2.5) cuts it: `name` lower case, offsets in UTF-16 units. */
export interface HtmlToken {
  kind: 'start' | 'end' | 'text' | 'comment' | 'doctype' | 'raw';
  /** Tag name; for `raw`, the name of the element whose text this is. */
  name: string;
  start: number;
  end: number;
}

/** Elements whose content is text up to their own end tag (RAWTEXT, RCDATA, script data). */
const RAW_ELEMENTS = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
]);

/** Walks through the tokens of an HTML text, without building a tree. `noscript` is markup, as without scripting. */
export function* scanHtml(html: string): Generator<HtmlToken, void, undefined> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      yield { kind: 'text', name: '', start: at, end: html.length };
      return;
    }
    const token = readMarkup(html, open);
    if (!token) {
      // A lone "<" is text.
      yield { kind: 'text', name: '', start: at, end: open + 1 };
      at = open + 1;
      continue;
    }
    if (open > at) yield { kind: 'text', name: '', start: at, end: open };
    yield token;
    at = token.end;
    if (token.kind === 'start' && RAW_ELEMENTS.has(token.name)) {
      const end = findRawEnd(html, at, token.name);
      if (end > at) yield { kind: 'raw', name: token.name, start: at, end };
      at = end;
    }
  }
}

/** The tag, comment or doctype that begins at this "<"; null where it is only a character. */
function readMarkup(html: string, open: number): HtmlToken | null {
  const next = html[open + 1] ?? '';
  if (next === '!') return readDeclaration(html, open);
  if (next === '?') return { kind: 'comment', name: '', start: open, end: endAfter(html, '>', open + 2) };
  const isEnd = next === '/';
  const nameStart = isEnd ? open + 2 : open + 1;
  const first = html[nameStart] ?? '';
  if (!/[a-z]/i.test(first)) {
    return isEnd && first !== ''
      ? { kind: 'comment', name: '', start: open, end: endAfter(html, '>', nameStart) }
      : null;
  }
  NAME.lastIndex = nameStart;
  const name = NAME.exec(html)?.[0] ?? '';
  const end = findTagEnd(html, nameStart + name.length);
  return { kind: isEnd ? 'end' : 'start', name: name.toLowerCase(), start: open, end };
}

const NAME = /[^\t\n\f\r />]*/y;

function readDeclaration(html: string, open: number): HtmlToken {
  if (html.startsWith('--', open + 2)) {
    const isEmpty = html[open + 4] === '>' || html.startsWith('->', open + 4);
    return {
      kind: 'comment',
      name: '',
      start: open,
      end: isEmpty ? endAfter(html, '>', open + 4) : findCommentEnd(html, open + 4),
    };
  }
  const isDoctype = html.slice(open + 2, open + 9).toLowerCase() === 'doctype';
  return {
    kind: isDoctype ? 'doctype' : 'comment',
    name: '',
    start: open,
    end: endAfter(html, '>', open + 2),
  };
}

function findCommentEnd(html: string, from: number): number {
  COMMENT_END.lastIndex = from;
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length;
}

const COMMENT_END = /--!?>/g;

function endAfter(html: string, text: string, from: number): number {
  const at = html.indexOf(text, from);
  return at < 0 ? html.length : at + text.length;
}

/** The offset after the ">" of a tag; a ">" inside a quoted attribute value does not end it. */
function findTagEnd(html: string, from: number): number {
  let at = from;
  while (at < html.length) {
    const char = html[at];
    if (char === '>') return at + 1;
    if (char === '=') {
      // Only a quote directly after "=" (and blanks) opens a quoted value.
      at += 1;
      while (at < html.length && /[\t\n\f\r ]/.test(html[at] ?? '')) at += 1;
      const quote = html[at];
      if (quote === '"' || quote === "'") at = endAfter(html, quote, at + 1);
      else while (at < html.length && !/[\t\n\f\r >]/.test(html[at] ?? '')) at += 1;
    } else at += 1;
  }
  return html.length;
}

function findRawEnd(html: string, from: number, name: string): number {
  if (name === 'plaintext') return html.length;
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />]|$)`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}
