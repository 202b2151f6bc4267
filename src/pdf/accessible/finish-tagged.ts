import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { readPdfObjects, readTextString, type PdfObjects } from './pdf-objects.ts';
import { xmpPacket } from './xmp.ts';

const compress = promisify(deflate);

/** Objects in one object stream: more compress better, fewer are read faster. */
const OBJECTS_PER_STREAM = 200;
const HEADER = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1');
const ENDSTREAM = Buffer.from('endstream', 'latin1');

/**
 * Makes a tagged PDF of Chromium's pass as PDF/UA-1 in its structure (XMP with title and language, descriptions of links),
 * and packs its objects into object streams (ISO 32000-1 §7.5.7): a tagged report shrinks to a quarter. Any other PDF is answered as it is.
 */
export async function finishTagged(pdf: Buffer, fallbackTitle: string): Promise<Buffer> {
  const objects = readPdfObjects(pdf);
  // Where the document has no text of its own (but in frames), Chromium makes no structure: nothing may declare one.
  if (!objects?.bodies.get(objects.rootNumber)?.includes('/StructTreeRoot')) return pdf;
  addMetadata(objects, fallbackTitle);
  describeLinks(objects);
  return pack(objects);
}

function addMetadata(objects: PdfObjects, fallbackTitle: string): void {
  const { bodies, rootNumber, infoNumber } = objects;
  const catalog = bodies.get(rootNumber)?.toString('latin1') ?? '';
  const info = bodies.get(infoNumber)?.toString('latin1') ?? '';
  const title = readTextString(info, 'Title')?.trim() || fallbackTitle;
  const xmp = Buffer.from(xmpPacket({ title, language: readTextString(catalog, 'Lang') ?? 'en' }), 'utf8');
  const number = objects.size++;
  bodies.set(
    number,
    Buffer.concat([
      Buffer.from(`<</Type /Metadata\n/Subtype /XML\n/Length ${xmp.length}>> stream\n`),
      xmp,
      Buffer.from('\nendstream\n'),
    ]),
  );
  bodies.set(rootNumber, Buffer.from(catalog.replace('<<', `<</Metadata ${number} 0 R\n`), 'latin1'));
}

/** PDF/UA-1 §7.18.5 wants a description of each link; its target is what there is. */
function describeLinks({ bodies }: PdfObjects): void {
  for (const [number, body] of bodies) {
    if (body.length > 20_000 || !body.includes('/Subtype /Link')) continue;
    const source = body.toString('latin1');
    const target =
      /\/URI (\((?:[^\\()]|\\[\s\S])*\))/.exec(source)?.[1] ??
      (/\/Dest \/([^\s/<>[\]()]+)/.exec(source)?.[1] ?? '').replace(/^(.+)$/, '($1)');
    if (target !== '' && !source.includes('/Contents'))
      bodies.set(number, Buffer.from(source.replace('<<', `<</Contents ${target}\n`), 'latin1'));
  }
}

/** Where an object is: at an offset, or at an index of an object stream. */
type Place = { offset: number } | { stream: number; index: number };

async function pack({ bodies, rootNumber, infoNumber, size }: PdfObjects): Promise<Buffer> {
  const parts: Buffer[] = [HEADER];
  let length = HEADER.length;
  const places = new Map<number, Place>();
  const append = (number: number, body: Buffer): void => {
    places.set(number, { offset: length });
    const head = Buffer.from(`${number} 0 obj\n`);
    const tail = Buffer.from(body.at(-1) === 0x0a ? 'endobj\n' : '\nendobj\n');
    parts.push(head, body, tail);
    length += head.length + body.length + tail.length;
  };

  const small: [number: number, body: Buffer][] = [];
  for (const [number, body] of bodies) {
    if (isStream(body)) append(number, body);
    else small.push([number, body]);
  }
  let next = size;
  for (let at = 0; at < small.length; at += OBJECTS_PER_STREAM) {
    const group = small.slice(at, at + OBJECTS_PER_STREAM);
    const stream = next++;
    group.forEach(([number], index) => places.set(number, { stream, index }));
    append(stream, await objectStream(group));
  }
  const table = await crossReferenceStream(places, next, length, { rootNumber, infoNumber });
  const start = length;
  append(next, table);
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

function isStream(body: Buffer): boolean {
  return body.subarray(-16).includes(ENDSTREAM);
}

async function objectStream(group: readonly [number: number, body: Buffer][]): Promise<Buffer> {
  let offset = 0;
  const index = group.map(([number, body]) => {
    const entry = `${number} ${offset}`;
    offset += body.length;
    return entry;
  });
  const head = Buffer.from(`${index.join(' ')}\n`);
  const data = await compress(Buffer.concat([head, ...group.map(([, body]) => body)]));
  return streamObject(`/Type /ObjStm\n/N ${group.length}\n/First ${head.length}\n/Filter /FlateDecode`, data);
}

/** ISO 32000-1 §7.5.8, with PNG's "up" predictor, as the rows hardly differ. */
async function crossReferenceStream(
  places: Map<number, Place>,
  own: number,
  ownOffset: number,
  roots: { rootNumber: number; infoNumber: number },
): Promise<Buffer> {
  const width = 7;
  const rows = Buffer.alloc((own + 1) * (width + 1));
  let previous: Uint8Array = new Uint8Array(width);
  for (let number = 0; number <= own; number += 1) {
    const place = number === own ? { offset: ownOffset } : places.get(number);
    const row = Buffer.alloc(width);
    if (place && 'offset' in place) {
      row.writeUInt8(1, 0);
      row.writeUInt32BE(place.offset, 1);
    } else if (place) {
      row.writeUInt8(2, 0);
      row.writeUInt32BE(place.stream, 1);
      row.writeUInt16BE(place.index, 5);
    }
    const at = number * (width + 1);
    rows[at] = 2;
    for (let column = 0; column < width; column += 1)
      rows[at + 1 + column] = ((row[column] ?? 0) - (previous[column] ?? 0)) & 0xff;
    previous = row;
  }
  const dictionary = `/Type /XRef\n/Size ${own + 1}\n/W [1 4 2]\n/Root ${roots.rootNumber} 0 R\n/Info ${roots.infoNumber} 0 R\n/Filter /FlateDecode\n/DecodeParms <</Predictor 12 /Columns ${width}>>`;
  return streamObject(dictionary, await compress(rows));
}

function streamObject(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${dictionary}\n/Length ${data.length}>> stream\n`),
    data,
    Buffer.from('\nendstream\n'),
  ]);
}
