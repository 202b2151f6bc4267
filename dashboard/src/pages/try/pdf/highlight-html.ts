/** Finds what is colored in HTML and CSS: names, strings, numbers and comments. */

export type TokenKind = 'name' | 'string' | 'number' | 'comment';

/** A colored part of a text. Tokens are in order, and do not overlap. */
export interface Token {
  start: number;
  end: number;
  kind: TokenKind;
}

const CSS =
  /(?<comment>\/\*[^]*?(?:\*\/|$))|(?<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(?<name>@[\w-]+|[\w-]+(?=:\s|:[^\s{};]*[;}]))|(?<number>#[\da-f]{3,8}\b|-?\b\d*\.?\d+(?:%|[a-z]+\b)?)/gi;
const SCRIPT =
  /(?<comment>\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<name>\b(?:const|let|var|function|return|if|else|for|of|in|while|new|await|async|import|from|export|class)\b)|(?<number>\b(?:\d[\d.]*|true|false|null)\b)/g;
const TAG_START = /<!--|<[/!]?[a-z][^\s/>]*/gi;
const IN_TAG = />|"[^"]*"?|'[^']*'?|[^\s=>"'/]+/g;

/** Returns the tokens of a style sheet. */
export function tokenizeCss(text: string): Token[] {
  const tokens: Token[] = [];
  tokenizeWith(CSS, text, 0, text.length, tokens);
  return tokens;
}

/** Returns the tokens of HTML, of its styles and of its scripts. */
export function tokenizeHtml(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    TAG_START.lastIndex = at;
    const match = TAG_START.exec(text);
    if (!match) return tokens;
    const start = match.index;
    if (match[0] === '<!--') {
      const close = text.indexOf('-->', start);
      at = close < 0 ? text.length : close + 3;
      tokens.push({ start, end: at, kind: 'comment' });
      continue;
    }
    tokens.push({ start, end: start + match[0].length, kind: 'name' });
    at = tokenizeTag(text, start + match[0].length, tokens);
    at = tokenizeRaw(text, match[0].slice(1).toLowerCase(), at, tokens);
  }
}

/** Adds the attributes of a tag. Returns its end. */
function tokenizeTag(text: string, from: number, tokens: Token[]): number {
  IN_TAG.lastIndex = from;
  // The first character tells what it is: named groups would take three times as long.
  for (let match = IN_TAG.exec(text); match; match = IN_TAG.exec(text)) {
    const first = text[match.index];
    if (first === '>') return IN_TAG.lastIndex;
    const isString = first === '"' || first === "'";
    tokens.push({ start: match.index, end: IN_TAG.lastIndex, kind: isString ? 'string' : 'number' });
  }
  return text.length;
}

/** Adds the contents of a style or script element. Returns where its end tag starts. */
function tokenizeRaw(text: string, name: string, from: number, tokens: Token[]): number {
  if (name !== 'style' && name !== 'script') return from;
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  const end = close.exec(text)?.index ?? text.length;
  tokenizeWith(name === 'style' ? CSS : SCRIPT, text, from, end, tokens);
  return end;
}

function tokenizeWith(pattern: RegExp, text: string, from: number, end: number, tokens: Token[]): void {
  const part = text.slice(from, end);
  for (const match of part.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0];
    const start = from + match.index;
    tokens.push({ start, end: start + match[0].length, kind: kind as TokenKind });
  }
}

/** A piece of a line: its place in the text, and its color if it has one. */
export interface Piece {
  start: number;
  text: string;
  kind: TokenKind | null;
}

/** Returns the start of each line. */
export function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the pieces of the text from `start` to `end`, which are in one line. */
export function cutPieces(text: string, tokens: readonly Token[], start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  let at = start;
  for (let index = findFirstAfter(tokens, start); index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token || token.start >= end) break;
    const from = Math.max(token.start, start);
    const to = Math.min(token.end, end);
    if (from > at) pieces.push({ start: at, text: text.slice(at, from), kind: null });
    pieces.push({ start: from, text: text.slice(from, to), kind: token.kind });
    at = to;
  }
  if (at < end) pieces.push({ start: at, text: text.slice(at, end), kind: null });
  return pieces;
}

/** Returns the index of the first token that ends after `offset`, by halving. */
function findFirstAfter(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
