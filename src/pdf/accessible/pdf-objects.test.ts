import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePdfObjects } from './pdf-objects.ts';

const HEAD = '%PDF-1.4\n';

/** Writes a PDF of these objects as Chromium does: in this order, with one table; `free` has no body. */
function writePdf(objects: [number: number, text: string][], free: number[] = []): Buffer {
  const size = objects.length + free.length + 1;
  const entries = new Map<number, string>();
  let pdf = HEAD;
  for (const [number, text] of objects) {
    entries.set(number, `${String(pdf.length).padStart(10, '0')} 00000 n \n`);
    pdf += text;
  }
  const table = Array.from({ length: size }, (_, number) => entries.get(number) ?? '0000000000 65535 f \n');
  const trailer = `trailer\n<</Size ${size} /Root 1 0 R /Info 2 0 R>>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(`${pdf}xref\n0 ${size}\n${table.join('')}${trailer}`, 'latin1');
}

const object = (number: number, body: string): [number, string] => [
  number,
  `${number} 0 obj\n${body}\nendobj\n`,
];

const parse = (pdf: Buffer): [number, string][] | undefined => {
  const bodies = parsePdfObjects(pdf)?.bodies;
  return bodies && [...bodies].map(([number, body]) => [number, body.toString('latin1')]);
};

describe('the objects of a PDF', () => {
  it('are its bodies by number in the order of the file, without free entries', () => {
    const pdf = writePdf([object(2, '<<b>>'), object(1, '<<a>>'), object(4, '(endobj)')], [3]);
    assert.deepEqual(parse(pdf), [
      [2, '<<b>>\n'],
      [1, '<<a>>\n'],
      [4, '(endobj)\n'],
    ]);
    const { rootNumber, infoNumber, size } = parsePdfObjects(pdf)!;
    assert.deepEqual([rootNumber, infoNumber, size], [1, 2, 5]);
  });

  it('are null if one is not where the table says, or has no end', () => {
    assert.ok(parse(writePdf([object(1, 'a'), object(2, 'b')])));
    assert.equal(parse(writePdf([object(1, 'a'), [2, '3 0 obj\nb\nendobj\n']])), undefined);
    assert.equal(parse(writePdf([object(1, 'a'), [2, '2 0 obj\nb\n']])), undefined);
    assert.equal(parse(writePdf([[1, '1 0 obj\na\n'], object(2, 'b')])), undefined);
  });
});
