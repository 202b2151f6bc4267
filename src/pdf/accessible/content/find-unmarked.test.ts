import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setShownCodes } from '../font-use.ts';
import { findUnmarked, markArtifacts } from './find-unmarked.ts';

const EVENTS = { onDraw: () => false, onFont: () => {}, onText: () => {} };

/** Marks a content stream, with `[` and `]` for the marks. */
function mark(source: string): string {
  const bytes = Buffer.from(source, 'latin1');
  const marked = markArtifacts(bytes, findUnmarked(bytes, EVENTS)).toString('latin1');
  assert.deepEqual(findUnmarked(Buffer.from(marked, 'latin1'), EVENTS), [], 'all is marked');
  return marked.replaceAll('/Artifact BMC\n', '[').replaceAll('\nEMC', ']');
}

describe('the unmarked content of a page', () => {
  for (const [source, marked] of [
    // A path is marked from its first operator on, and one that only clips is not.
    ['q 0 0 9 9 re W* n 1 0 0 rg 1 2 m 3 4 l S Q', 'q 0 0 9 9 re W* n 1 0 0 rg [1 2 m 3 4 l S] Q'],
    // Parts without anything between them have one mark.
    ['0 0 1 1 re f\n2 2 1 1 re f* /X1 Do', '[0 0 1 1 re f\n2 2 1 1 re f* /X1 Do]'],
    // Text is marked within its text object.
    [
      'BT /F1 9 Tf <0001> Tj 5 0 Td [(a\\)) 3 (b)] TJ ET',
      'BT /F1 9 Tf [<0001> Tj] 5 0 Td [[(a\\)) 3 (b)] TJ] ET',
    ],
    // What belongs to the structure or is an artifact stays, also within other marks.
    ['/P <</MCID 3 >>BDC 0 0 1 1 re f /Span <</ActualText <FE>>> BDC (x) Tj EMC EMC', null],
    ['/Artifact <</Type /Pagination>> BDC /a BMC 0 0 1 1 re f EMC sh EMC', null],
    // A mark without a place in the structure marks nothing.
    ['/Span <</ActualText <FE>>>BDC (x) Tj EMC', '/Span <</ActualText <FE>>>BDC [(x) Tj] EMC'],
    // Comments and the text of strings are no operators.
    ['/X1 Do % 0 0 1 1 re f\n(f S (f)) pop', '[/X1 Do] % 0 0 1 1 re f\n(f S (f)) pop'],
  ] as const) {
    it(source.slice(0, 50), () => {
      const expected = marked ?? source;
      const actual = mark(source);
      assert.equal(marked === null ? actual.replaceAll('EMC]', 'EMC') : actual, expected);
    });
  }

  it('is found in any bytes, in one pass', () => {
    for (const piece of ['(', '<', '<<', '[', '/a ', 'BDC ', 'EMC ', '\\', 'm ', '1 ', '%', 'BT ', '(\\']) {
      const bytes = Buffer.from(piece.repeat(100_000));
      assert.ok(findUnmarked(bytes, EVENTS).length <= 100_000);
    }
  });
});

describe('the codes that an operator shows', () => {
  const list = (operands: string, size: 256 | 65_536): number[] => {
    const codes = new Uint8Array(size);
    const bytes = Buffer.from(operands, 'latin1');
    setShownCodes({ bytes, from: 0, to: bytes.length }, codes);
    return [...codes.keys()].filter((code) => codes[code] === 1);
  };

  it('are those of its strings, of one byte or of two', () => {
    assert.deepEqual(list('[<0041 00 42> 12 <00FF>] TJ', 65_536), [0x41, 0x42, 0xff]);
    assert.deepEqual(list('<4142> Tj', 256), [0x41, 0x42]);
  });
});
