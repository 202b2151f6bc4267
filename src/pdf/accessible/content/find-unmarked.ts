import type { ContentSlice } from '../font-use.ts';

/** An operator of a content stream (ISO 32000-1 §7.8.2), and its source with its operands. */
interface Operator {
  /** See toOperatorCode. */
  code: number;
  from: number;
  to: number;
}

const BACKSLASH = 0x5c;

/** The kinds of bytes: 0 is a regular character, of which names, numbers and operators consist. */
const SPACE = 1;
const DELIMITER = 2;
const KINDS = new Uint8Array(256);
for (const char of '\0\t\n\f\r ') KINDS[char.charCodeAt(0)] = SPACE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

/** Packs the name of an operator, which has at most three characters, into a number. */
function toOperatorCode(name: string): number {
  const bytes = Buffer.from(name, 'latin1');
  return toCode(bytes, 0, bytes.length);
}

/** Operands that look like operators. */
const WORDS = new Set(['true', 'false', 'null'].map(toOperatorCode));

/**
 * Calls `visit` for each operator, with one object that it reuses. Never throws, whatever the bytes are.
 * Inline images are unknown to it: Chromium writes none.
 */
function scanOperators(bytes: Uint8Array, visit: (operator: Operator) => void): void {
  const operator: Operator = { code: 0, from: -1, to: 0 };
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (KINDS[byte] === SPACE) {
      at += 1;
      continue;
    }
    const end = findTokenEnd(bytes, at);
    if (byte === 0x25) {
      at = end;
      continue;
    }
    if (operator.from < 0) operator.from = at;
    const code = KINDS[byte] === DELIMITER || isNumeric(byte) ? 0 : toCode(bytes, at, end);
    at = end;
    if (code === 0 || WORDS.has(code)) continue;
    operator.code = code;
    operator.to = end;
    visit(operator);
    operator.from = -1;
  }
}

function isNumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b;
}

function toCode(bytes: Uint8Array, from: number, to: number): number {
  let code = 0;
  for (let at = from; at < to; at += 1) code = code * 256 + (bytes[at] ?? 0);
  return code;
}

/** Returns the end of the token at `from`: of a string, a comment, a name, a number or an operator. */
function findTokenEnd(bytes: Uint8Array, from: number): number {
  const byte = bytes[from];
  if (byte === 0x28) return findLiteralEnd(bytes, from);
  if (byte === 0x25) return findEnd(bytes, from, 0x0a);
  if (byte === 0x3c && bytes[from + 1] !== 0x3c) return findEnd(bytes, from, 0x3e);
  if (KINDS[byte ?? 0] === DELIMITER && byte !== 0x2f) return from + 1;
  let at = from + 1;
  while (at < bytes.length && KINDS[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

function findEnd(bytes: Uint8Array, from: number, last: number): number {
  const at = bytes.indexOf(last, from);
  return at < 0 ? bytes.length : at + 1;
}

function findLiteralEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === 0x28) depth += 1;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Events of a content stream, in its order. Slices hold an operator and its operands. */
export interface ContentEvents {
  /** A named XObject is drawn. Returns true if it has marks of its own, so that its parts are marked. */
  onDraw: (slice: ContentSlice, isMarked: boolean) => boolean;
  onFont: (slice: ContentSlice) => void;
  onText: (slice: ContentSlice) => void;
}

/** An unmarked part of a content stream: the offsets of its first operator and after its last. */
interface Range {
  from: number;
  to: number;
}

const codes = (names: string): ReadonlySet<number> => new Set(names.split(' ').map(toOperatorCode));
const CONSTRUCT_PATH = codes('m l c v y h re');
const PAINT_PATH = codes('f F f* B B* b b* S s');
const PAINT_SHADING = toOperatorCode('sh');
const SHOW_TEXT = codes('Tj TJ \' "');
const BEGIN_MARKED = codes('BMC BDC');
const END_PATH = toOperatorCode('n');
const END_MARKED = toOperatorCode('EMC');
const DRAW = toOperatorCode('Do');
const SELECT_FONT = toOperatorCode('Tf');

/**
 * Finds what a content stream paints outside of marked content (ISO 32000-1 §14.6) that belongs to the
 * structure or is an artifact. A path is one part from its first operator on, as marks may not divide it.
 */
export function findUnmarked(bytes: Uint8Array, events: ContentEvents): Range[] {
  const ranges: Range[] = [];
  /** For each open sequence, whether its content is marked. */
  const open: boolean[] = [];
  let pathStart = -1;
  const isMarked = (): boolean => open.at(-1) ?? false;
  const add = (from: number, to: number): void => {
    if (isMarked()) return;
    const last = ranges.at(-1);
    if (last && isBlank(bytes, last.to, from)) last.to = to;
    else ranges.push({ from, to });
  };

  scanOperators(bytes, ({ code, from, to }: Operator) => {
    if (CONSTRUCT_PATH.has(code)) {
      if (pathStart < 0) pathStart = from;
    } else if (PAINT_PATH.has(code)) {
      add(pathStart < 0 ? from : pathStart, to);
      pathStart = -1;
    } else if (code === END_PATH) pathStart = -1;
    else if (BEGIN_MARKED.has(code)) open.push(isMarked() || marksContent(bytes.subarray(from, to)));
    else if (code === END_MARKED) open.pop();
    else if (code === SELECT_FONT) events.onFont({ bytes, from, to });
    else if (SHOW_TEXT.has(code)) {
      events.onText({ bytes, from, to });
      add(from, to);
    } else if (code === DRAW) {
      if (!events.onDraw({ bytes, from, to }, isMarked())) add(from, to);
    } else if (code === PAINT_SHADING) add(from, to);
  });
  return ranges;
}

/** Checks whether a sequence makes its content part of the structure, or an artifact. */
function marksContent(slice: Uint8Array): boolean {
  const source = Buffer.from(slice.buffer, slice.byteOffset, slice.length);
  return source.includes('/MCID') || source.subarray(0, 9).equals(ARTIFACT);
}
const ARTIFACT = Buffer.from('/Artifact');

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((bytes[at] ?? 0) > 0x20) return false;
  return true;
}

const BEGIN = Buffer.from('/Artifact BMC\n');
const END = Buffer.from('\nEMC');

/** Marks parts of a content stream as artifacts (ISO 32000-1 §14.8.2.2): what is no content of its own. */
export function markArtifacts(bytes: Uint8Array, ranges: readonly Range[]): Buffer {
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { from, to } of ranges) {
    parts.push(bytes.subarray(done, from), BEGIN, bytes.subarray(from, to), END);
    done = to;
  }
  parts.push(bytes.subarray(done));
  return Buffer.concat(parts);
}
