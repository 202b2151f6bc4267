import { inflateHead } from './inflate-head.ts';
import { listPages } from './list-pages.ts';
import { findObjectBody, parseObjectTable, type ByteRange } from './object-table.ts';

/** Longer than the dictionary of a content stream. */
const DICTIONARY_BYTES = 200;

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
  let left = maxPages;
  for (const { dictionary } of listPages(pdf, table)) {
    const contents = /\/Contents\s+(\d+)/.exec(dictionary)?.[1];
    if (contents !== undefined) yield decodeHead(pdf, findObjectBody(pdf, table, Number(contents)), maxBytes);
    left -= 1;
    if (left === 0) return;
  }
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
