/** Damaged and hostile forms of a PDF. A library may repair or refuse them, in bounded time and memory. */
import { deflateSync } from 'node:zlib';

const BOMB_BYTES = 256 * 1024 * 1024;
const DEPTH = 200_000;

export const DAMAGES: Record<string, (pdf: Buffer) => Buffer> = {
  'cut off in the middle': (pdf) => pdf.subarray(0, pdf.length >> 1),
  'without its first half': (pdf) => pdf.subarray(pdf.length >> 1),
  'wrong startxref': (pdf) => replace(pdf, /startxref\n\d+/, 'startxref\n7'),
  'endless chain of tables': (pdf) => replace(pdf, /\/Root/, `/Prev ${findTable(pdf)} /Root`),
  'page tree that contains itself': (pdf) => replace(pdf, /\/Kids \[\d+/, (kids) => swapKid(pdf, kids)),
  'deeply nested arrays': (pdf) => replace(pdf, /\/Creator \(Chromium\)/, `/Creator ${nest(DEPTH)}`),
  'a count of two billion pages': (pdf) => replace(pdf, /\/Count \d+/, '/Count 2000000000'),
  'a stream of zeros that inflates to 256 MiB': (pdf) => addBomb(pdf),
  'every hundredth byte changed': (pdf) =>
    pdf.map((byte, at) => (at % 100 === 99 ? byte ^ 0x55 : byte)) as Buffer,
};

function replace(pdf: Buffer, pattern: RegExp, text: string | ((match: string) => string)): Buffer {
  const format = typeof text === 'string' ? () => text : text;
  return Buffer.from(pdf.toString('latin1').replace(pattern, format), 'latin1');
}

function findTable(pdf: Buffer): string {
  return /startxref\s+(\d+)/.exec(pdf.toString('latin1'))?.[1] ?? '0';
}

/** Returns the /Kids with the page tree itself as the first. */
function swapKid(pdf: Buffer, kids: string): string {
  const tree = /\/Pages (\d+) 0 R/.exec(pdf.toString('latin1'))?.[1] ?? '1';
  return kids.replace(/\d+$/, tree);
}

function nest(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** Appends a cross-reference stream that inflates to a bomb, and points to it. */
function addBomb(pdf: Buffer): Buffer {
  const data = deflateSync(Buffer.alloc(BOMB_BYTES));
  const [root, size] = ['/Root', '/Size'].map(
    (key) => new RegExp(`${key} (\\d+)`).exec(pdf.toString('latin1'))?.[1] ?? '1',
  );
  const head = `${size} 0 obj\n<</Type /XRef /Size ${BOMB_BYTES / 8} /W [1 4 3] /Root ${root} 0 R /Filter /FlateDecode /Length ${data.length}>> stream\n`;
  const tail = `\nendstream\nendobj\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.concat([pdf, Buffer.from(head, 'latin1'), data, Buffer.from(tail, 'latin1')]);
}
