import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { CrossReferences, ROW_BYTES } from './cross-references.ts';
import type { ObjectBodies } from './object-bodies.ts';
import { addEntry, parseTextString } from '../pdf-file/text-string.ts';
import {
  setCatalogMetadata,
  setTitle,
  updateMetadata,
  type PdfMetadata,
} from '../pdf-file/update-metadata.ts';
import { renumberNodes } from '../pdf-file/renumber-nodes.ts';
import { parsePdfObjects, type PdfObjects } from './pdf-objects.ts';
import { formatXmpPacket } from './xmp.ts';

const compress = promisify(deflate);

/** Objects in one object stream: more compress better, fewer are faster to access. */
const OBJECTS_PER_STREAM = 200;
const HEADER = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1');
const ENDSTREAM = Buffer.from('endstream', 'latin1');

/** The metadata of a tagged PDF, which must have a title. */
export interface TaggedMetadata extends PdfMetadata {
  /** The title if neither the request nor the document has one. */
  fallbackTitle: string;
  /** Equal documents give equal bytes. */
  isReproducible: boolean;
}

/**
 * Adds to a tagged PDF by Chromium what PDF/UA-1 requires of its structure (XMP with title and language,
 * descriptions of links), sets its metadata, and packs its objects into object streams (ISO 32000-1 §7.5.7):
 * a tagged report shrinks to a quarter. Sets only the metadata of any other PDF.
 */
export async function finishTagged(pdf: Buffer, metadata: TaggedMetadata): Promise<Buffer> {
  if (metadata.isReproducible) renumberNodes(pdf);
  const objects = parsePdfObjects(pdf);
  // For a document without text (except in frames) Chromium makes no structure: then the PDF may not declare
  // one.
  if (!objects?.bodies.find(objects.rootNumber)?.includes('/StructTreeRoot'))
    return updateMetadata(pdf, metadata);
  addMetadata(objects, metadata);
  describeLinks(objects);
  return pack(objects);
}

function addMetadata(objects: PdfObjects, metadata: TaggedMetadata): void {
  const { bodies, rootNumber, infoNumber } = objects;
  const catalog = setCatalogMetadata(bodies.find(rootNumber)?.toString('latin1') ?? '', metadata);
  const info = setTitle(bodies.find(infoNumber)?.toString('latin1') ?? '', metadata);
  const title = parseTextString(info, 'Title')?.trim() || metadata.fallbackTitle;
  const xmp = Buffer.from(
    formatXmpPacket({ title, language: parseTextString(catalog, 'Lang') ?? 'en' }),
    'utf8',
  );
  const number = objects.size++;
  bodies.append(
    number,
    Buffer.concat([
      Buffer.from(`<</Type /Metadata\n/Subtype /XML\n/Length ${xmp.length}>> stream\n`),
      xmp,
      Buffer.from('\nendstream\n'),
    ]),
  );
  bodies.replace(infoNumber, Buffer.from(info, 'latin1'));
  bodies.replace(rootNumber, Buffer.from(addEntry(catalog, `/Metadata ${number} 0 R`), 'latin1'));
}

/** Describes each link by its target, as PDF/UA-1 §7.18.5 requires a description. */
function describeLinks({ bodies }: PdfObjects): void {
  for (const [number, body] of bodies) {
    if (body.length > 20_000 || !body.includes('/Subtype /Link')) continue;
    const source = body.toString('latin1');
    const target =
      /\/URI (\((?:[^\\()]|\\[\s\S])*\))/.exec(source)?.[1] ??
      (/\/Dest \/([^\s/<>[\]()]+)/.exec(source)?.[1] ?? '').replace(/^(.+)$/, '($1)');
    if (target !== '' && !source.includes('/Contents'))
      bodies.replace(number, Buffer.from(addEntry(source, `/Contents ${target}`), 'latin1'));
  }
}

async function pack({ bodies, rootNumber, infoNumber, size }: PdfObjects): Promise<Buffer> {
  const parts: Buffer[] = [HEADER];
  let length = HEADER.length;
  const table = new CrossReferences();
  const append = (number: number, body: Buffer): void => {
    table.setOffset(number, length);
    const head = Buffer.from(`${number} 0 obj\n`);
    const tail = Buffer.from(body.at(-1) === 0x0a ? 'endobj\n' : '\nendobj\n');
    parts.push(head, body, tail);
    length += head.length + body.length + tail.length;
  };

  for (const [number, body] of bodies) if (isStream(body)) append(number, body);
  let next = size;
  for (const group of groupSmallObjects(bodies)) {
    const stream = next++;
    group.forEach(([number], index) => table.setStream(number, stream, index));
    append(stream, await formatObjectStream(group));
  }
  const start = length;
  table.setOffset(next, start);
  append(
    next,
    await formatCrossReferenceStream(table.formatRows(next + 1), next + 1, { rootNumber, infoNumber }),
  );
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** Yields the objects for object streams, in groups of one stream each. */
function* groupSmallObjects(bodies: ObjectBodies): Generator<SmallObject[], void, undefined> {
  let group: SmallObject[] = [];
  for (const object of bodies) {
    if (isStream(object[1])) continue;
    group.push(object);
    if (group.length < OBJECTS_PER_STREAM) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

type SmallObject = [number: number, body: Buffer];

function isStream(body: Buffer): boolean {
  return body.subarray(-16).includes(ENDSTREAM);
}

async function formatObjectStream(group: readonly SmallObject[]): Promise<Buffer> {
  let offset = 0;
  const index = group.map(([number, body]) => {
    const entry = `${number} ${offset}`;
    offset += body.length;
    return entry;
  });
  const head = Buffer.from(`${index.join(' ')}\n`);
  const data = await compress(Buffer.concat([head, ...group.map(([, body]) => body)]));
  return formatStream(`/Type /ObjStm\n/N ${group.length}\n/First ${head.length}\n/Filter /FlateDecode`, data);
}

/**
 * Formats a cross-reference stream (ISO 32000-1 §7.5.8), with PNG's "up" predictor, as the rows hardly
 * differ.
 */
async function formatCrossReferenceStream(
  rows: Buffer,
  size: number,
  roots: { rootNumber: number; infoNumber: number },
): Promise<Buffer> {
  const dictionary = `/Type /XRef\n/Size ${size}\n/W [1 4 2]\n/Root ${roots.rootNumber} 0 R\n/Info ${roots.infoNumber} 0 R\n/Filter /FlateDecode\n/DecodeParms <</Predictor 12 /Columns ${ROW_BYTES}>>`;
  return formatStream(dictionary, await compress(rows));
}

function formatStream(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${dictionary}\n/Length ${data.length}>> stream\n`),
    data,
    Buffer.from('\nendstream\n'),
  ]);
}
