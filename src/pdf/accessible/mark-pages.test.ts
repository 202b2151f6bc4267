import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PDFContext } from '@cantoo/pdf-lib';
import { FontUse } from './font-use.ts';
import { markArtifacts } from './mark-pages.ts';

const EVENTS = { onDraw: () => false, onFont: () => {}, onText: () => {} };

/** Marks a content stream, whose lines are divided by `|`, with `[` and `]` for the marks. */
function mark(source: string): string {
  const lines = source.replaceAll('|', '\n');
  const marked = markArtifacts(lines, EVENTS) ?? lines;
  assert.equal(markArtifacts(marked, EVENTS), null, 'all is marked');
  return marked.replaceAll('/Artifact BMC\n', '[').replaceAll('\nEMC', ']').replaceAll('\n', '|');
}

describe('the unmarked content of a page', () => {
  for (const [source, marked] of [
    // A path is marked from its first operator on, and one that only clips is not.
    ['q|0 0 9 9 re|W* n|1 0 0 rg|1 2 m|3 4 l|S|Q', 'q|0 0 9 9 re|W* n|1 0 0 rg|[1 2 m|3 4 l|S]|Q'],
    // Parts without anything between them have one mark.
    ['0 0 1 1 re|f|2 2 1 1 re|f*|/X1 Do', '[0 0 1 1 re|f|2 2 1 1 re|f*|/X1 Do]'],
    // Text is marked within its text object.
    [
      'BT|/F1 9 Tf|<0001> Tj|5 0 Td <0002> Tj|1 Tr|[<03> 3 <04>] TJ|ET',
      'BT|/F1 9 Tf|[<0001> Tj|5 0 Td <0002> Tj]|1 Tr|[[<03> 3 <04>] TJ]|ET',
    ],
    // A mark without a place in the structure marks nothing.
    ['/Span <</ActualText <FE>>>BDC|<00> Tj|EMC', '/Span <</ActualText <FE>>>BDC|[<00> Tj]]'],
  ] as const)
    it(source.slice(0, 50), () => assert.equal(mark(source), marked));

  it('is neither part of the structure nor an artifact, also within other marks', () => {
    for (const source of [
      '/P <</MCID 3 >>BDC|0 0 1 1 re|f|/Span <</ActualText <FE>>> BDC|<00> Tj|EMC|EMC',
      '/Artifact <</Type /Pagination>> BDC|/a BMC|0 0 1 1 re|f|EMC|/S1 sh|EMC',
    ])
      assert.equal(markArtifacts(source.replaceAll('|', '\n'), EVENTS), null);
  });

  it('is found in any bytes, in one pass', () => {
    for (const piece of ['<', '/a ', 'BDC\n', 'EMC\n', 'm\n', 'f\n', '\n', ' ', '> Tj\n', 'Do\n\n']) {
      const startedAt = process.threadCpuUsage();
      markArtifacts(piece.repeat(200_000), EVENTS);
      const { user, system } = process.threadCpuUsage(startedAt);
      assert.ok(user + system < 1_000_000, piece);
    }
  });
});

describe('the codes that a line shows', () => {
  const context = PDFContext.create();
  const count = (type: string, line: string): number => {
    const use = new FontUse();
    use.add(context.obj({ Subtype: type }), line);
    return use.countUnknown();
  };

  it('are those of its strings, of one byte or of two', () => {
    assert.equal(count('Type0', '[<00410042> 12 <00FF> 3 <0041>] TJ'), 3);
    assert.equal(count('Type3', '5 0 Td <414241> Tj'), 2);
  });
});
