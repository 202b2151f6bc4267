import type { ContentSlice } from '../font-use.ts';
import { scanOperators, toOperatorCode, type Operator } from './content-operators.ts';

/** Events of a content stream, in its order. Slices hold an operator and its operands. */
export interface ContentEvents {
  /** A named XObject is drawn. Returns true if it has marks of its own, so that its parts are marked. */
  onDraw: (slice: ContentSlice, isMarked: boolean) => boolean;
  onFont: (slice: ContentSlice) => void;
  onText: (slice: ContentSlice) => void;
}

/** The unmarked parts of a content stream. */
export interface Unmarked {
  /** Offsets: from the first to the last operator of each. They do not overlap. */
  ranges: { from: number; to: number }[];
}

const codes = (names: string): ReadonlySet<number> => new Set(names.split(' ').map(toOperatorCode));
const CONSTRUCT_PATH = codes('m l c v y h re');
const PAINT_PATH = codes('f F f* B B* b b* S s');
const PAINT_ALONE = codes('sh EI');
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
export function findUnmarked(bytes: Uint8Array, events: ContentEvents): Unmarked {
  const ranges: Unmarked['ranges'] = [];
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
    } else if (PAINT_ALONE.has(code)) add(from, to);
  });
  return { ranges };
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
export function markArtifacts(bytes: Uint8Array, { ranges }: Unmarked): Buffer {
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { from, to } of ranges) {
    parts.push(bytes.subarray(done, from), BEGIN, bytes.subarray(from, to), END);
    done = to;
  }
  parts.push(bytes.subarray(done));
  return Buffer.concat(parts);
}
