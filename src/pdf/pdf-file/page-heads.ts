import { inflateHead } from './inflate-head.ts';
import {
  findObjectBody,
  findObjectText,
  parseObjectTable,
  type ByteRange,
  type ObjectTable,
} from './object-table.ts';

/** Longer than the dictionary of a content stream. */
const DICTIONARY_BYTES = 200;
const MAX_DEPTH = 16;

/**
 * Yields the first `maxBytes` bytes of the content streams of a PDF by Chromium, of its first `maxPages`
 * pages.
 */
export function* listPageHeads(
  pdf: Buffer,
  { maxPages, maxBytes }: { maxPages: number; maxBytes: number },
): Generator<string, void, undefined> {
  const table = parseObjectTable(pdf);
  if (table === null) return;
  const root = /\/Pages\s+(\d+)/.exec(findObjectText(pdf, table, table.rootNumber))?.[1];
  let left = maxPages;
  for (const page of root === undefined ? [] : listPages(pdf, table, Number(root), MAX_DEPTH)) {
    const contents = /\/Contents\s+(\d+)/.exec(page)?.[1];
    if (contents !== undefined) yield decodeHead(pdf, findObjectBody(pdf, table, Number(contents)), maxBytes);
    left -= 1;
    if (left === 0) return;
  }
}

/** Yields the dictionaries of the pages of a page tree, which nests its pages in groups. */
function* listPages(
  pdf: Buffer,
  table: ObjectTable,
  number: number,
  depthLeft: number,
): Generator<string, void, undefined> {
  const node = findObjectText(pdf, table, number);
  const kids = /\/Kids\s*\[([^\]]*)\]/.exec(node)?.[1];
  if (kids === undefined) yield node;
  else if (depthLeft > 0)
    for (const [, kid] of kids.matchAll(/(\d+)\s+0\s+R/g))
      yield* listPages(pdf, table, Number(kid), depthLeft - 1);
}

function decodeHead(pdf: Buffer, body: ByteRange | null, maxBytes: number): string {
  if (body === null) return '';
  const dictionary = /^[^]*?>> stream\n/.exec(
    pdf.toString('latin1', body.from, body.from + DICTIONARY_BYTES),
  )?.[0];
  if (dictionary === undefined) return '';
  const stream = pdf.subarray(body.from + dictionary.length, body.to);
  const head = dictionary.includes('/FlateDecode')
    ? inflateHead(stream, maxBytes)
    : stream.subarray(0, maxBytes);
  return head.toString('latin1');
}
