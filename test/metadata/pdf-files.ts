/** PDFs of our own writing. They have no cross-reference tables, which the service does not need. */
import { deflateSync } from 'node:zlib';

const HEADER = '%PDF-1.7\n%\xE2\xE3\xCF\xD3\n';
const CATALOG = '1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Metadata 9 0 R >>\nendobj\n';
const stream = (number: number, dictionary: string, body: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`${number} 0 obj\n<< ${dictionary} >>\nstream\n`),
    Buffer.from(body as string, 'latin1'),
    Buffer.from('\nendstream\nendobj\n'),
  ]);

/** A PDF with this title as it is written in the file, and with more at its end. */
export function pdf(title: string, pages: number, more = ''): Buffer {
  return Buffer.concat([
    Buffer.from(
      `${HEADER}${CATALOG}2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count ${pages}>>endobj\n`,
      'latin1',
    ),
    // A stream whose bytes look like objects.
    stream(5, '/Length 60', '2 0 obj<</Type/Pages/Count 77>>endobj trailer<</Info 2 0 R>>'),
    Buffer.from(`6 0 obj << /Producer (x) /Title ${title} /Author (y) >> endobj\n`, 'latin1'),
    Buffer.from(`trailer\n<< /Size 7 /Root 1 0 R /Info 6 0 R ${more} >>\nstartxref\n0\n%%EOF\n`, 'latin1'),
  ]);
}

/** A PDF 1.5: its objects are in a compressed stream, its trailer is that of a cross-reference stream. */
export function compressedPdf(title: string, pages: number): Buffer {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Count ${pages}>>`, `<</Title ${title}>>`];
  const offsets = objects.map((_, n) => objects.slice(0, n).join(' ').length + (n > 0 ? 1 : 0));
  const header = `${[1, 2, 6].map((number, n) => `${number} ${offsets[n]}`).join(' ')} `;
  const body = deflateSync(header + objects.join(' '));
  return Buffer.concat([
    Buffer.from(HEADER, 'latin1'),
    stream(10, `/Type /ObjStm /N 3 /First ${header.length} /Filter /FlateDecode`, body),
    stream(11, '/Type /XRef /Size 12 /W [1 2 1] /Root 1 0 R /Info 6 0 R', 'binary'),
    Buffer.from('startxref\n0\n%%EOF\n'),
  ]);
}

/** A PDF whose title is in its XMP metadata only. */
export function xmpPdf(title: string): Buffer {
  const xmp = `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;
  return Buffer.concat([
    Buffer.from(HEADER + CATALOG, 'latin1'),
    stream(9, '/Type /Metadata /Subtype /XML', Buffer.from(xmp)),
    Buffer.from('2 0 obj<</Type/Pages/Count 3>>endobj trailer<</Root 1 0 R>>'),
  ]);
}
