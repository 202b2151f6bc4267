import { type ObjectTable, findObjectBody, findObjectText, parseObjectTable } from './object-table.ts';

/** Matches a text string in a dictionary: hexadecimal, or literal with escaped parentheses. */
const TEXT_STRING = String.raw`(?:<([0-9A-Fa-f]*)>|\(((?:[^\\()]|\\[\s\S])*)\))`;

/** Parses the text string (ISO 32000-1 §7.9.2.2) after a key. Null if there is none. */
export function parseTextString(dictionary: string, key: string): string | null {
  const [, hex, literal] = new RegExp(`/${key} ${TEXT_STRING}`).exec(dictionary) ?? [];
  if (hex !== undefined) return Buffer.from(hex.slice(4), 'hex').swap16().toString('utf16le');
  return (
    literal?.replace(/\\([0-7]{3}|[\s\S])/g, (_all, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
    ) ?? null
  );
}

/** Finds the title of a PDF by Chromium, which is its document's. Null if it has none. */
export function findTitle(pdf: Buffer): string | null {
  const table = parseObjectTable(pdf);
  return table && parseTextString(findObjectText(table, table.infoNumber), 'Title');
}

/** Sets the text string after a key. As Chromium's own, it is UTF-16 in hexadecimal. */
export function setTextString(dictionary: string, key: string, text: string): string {
  const hex = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex').toUpperCase();
  const old = new RegExp(`/${key} ${TEXT_STRING}\n?`);
  return addEntry(dictionary.replace(old, ''), `/${key} <${hex}>`);
}

/** Adds an entry to a dictionary. Its text may hold a client's, so it is not a replacement pattern. */
export function addEntry(dictionary: string, entry: string): string {
  return dictionary.replace('<<', () => `<<${entry}\n`);
}

/** The metadata that a request gives its PDF. Null: as the document has it. */
interface PdfMetadata {
  title: string | null;
  language: string | null;
}

/**
 * Sets the metadata of a PDF by Chromium in an incremental update (ISO 32000-1 §7.5.6), as an untagged PDF
 * has no language. Returns any other PDF unchanged.
 */
export function updateMetadata(pdf: Buffer, metadata: PdfMetadata): Buffer {
  const table = parseObjectTable(pdf);
  if (table === null || (metadata.title === null && metadata.language === null)) return pdf;
  const { infoNumber, rootNumber } = table;
  const info = findObjectBody(table, infoNumber);
  const catalog = findObjectBody(table, rootNumber);
  if (info === null || catalog === null) return pdf;
  let infoText = pdf.toString('latin1', info.from, info.to);
  let catalogText = pdf.toString('latin1', catalog.from, catalog.to);
  if (metadata.language !== null) catalogText = setTextString(catalogText, 'Lang', metadata.language);
  if (metadata.title !== null) {
    infoText = setTextString(infoText, 'Title', metadata.title);
    // Viewers show the title in place of the file name.
    if (!catalogText.includes('/DisplayDocTitle'))
      catalogText = addEntry(catalogText, '/ViewerPreferences <</DisplayDocTitle true>>');
  }
  const bodies = new Map([
    [infoNumber, infoText],
    [rootNumber, catalogText],
  ]);
  return Buffer.concat([pdf, Buffer.from(formatUpdate(bodies, table, pdf.length), 'latin1')]);
}

/** Formats the objects of an update, their table and the trailer. `offset` is the length of the file. */
function formatUpdate(bodies: Map<number, string>, table: ObjectTable, offset: number): string {
  let objects = '';
  let entries = '';
  for (const [number, body] of bodies) {
    entries += `${number} 1\n${String(offset + objects.length).padStart(10, '0')} 00000 n \n`;
    objects += `${number} 0 obj\n${body}endobj\n`;
  }
  const { size, rootNumber, infoNumber, start } = table;
  const trailer = `<</Size ${size}\n/Root ${rootNumber} 0 R\n/Info ${infoNumber} 0 R\n/Prev ${start}>>`;
  return `${objects}xref\n${entries}trailer\n${trailer}\nstartxref\n${offset + objects.length}\n%%EOF\n`;
}

/**
 * Overwrites the dates of a PDF by Chromium (ISO 32000-1 §14.3.3), which has the time at which it printed.
 * `epochMs` is milliseconds since 1970.
 */
export function overwriteDates(pdf: Buffer, epochMs: number): void {
  const table = parseObjectTable(pdf);
  const info = table && findObjectBody(table, table.infoNumber);
  if (!info) return;
  const digits = new Date(epochMs).toISOString().replace(/\D/g, '').slice(0, 14);
  const date = `(D:${digits}+00'00')`;
  for (const name of ['/CreationDate ', '/ModDate ']) {
    // The title, which is the document's, comes before the dates.
    const at = pdf.lastIndexOf(name, info.to, 'latin1') + name.length;
    if (at > info.from && /^\(D:\d{14}\+00'00'\)$/.test(pdf.toString('latin1', at, at + date.length)))
      pdf.write(date, at, 'latin1');
  }
}

const NODE = '(node';
const DIGITS = 8;

/**
 * Renumbers the identifiers of table headers in a tagged PDF by Chromium (ISO 32000-1 §14.7.2), which counts
 * the nodes of all documents that its process has rendered. Their order stays, as a name tree requires. They
 * begin with `first`; returns the number after the last.
 */
export function renumberNodes({ buffer, byteOffset, byteLength }: Uint8Array, first: number): number {
  const pdf = Buffer.from(buffer, byteOffset, byteLength);
  const places: { at: number; id: string }[] = [];
  for (let at = pdf.indexOf(NODE); at >= 0; at = pdf.indexOf(NODE, at + 1)) {
    const from = at + NODE.length;
    const [id] = /^\d{8}(?=\))/.exec(pdf.toString('latin1', from, from + DIGITS + 1)) ?? [];
    if (id !== undefined) places.push({ at: from, id });
  }
  const sorted = [...new Set(places.map(({ id }) => id))].sort();
  const numbers = new Map(sorted.map((id, index) => [id, String(first + index).padStart(DIGITS, '0')]));
  for (const { at, id } of places) pdf.write(numbers.get(id) ?? id, at, 'latin1');
  return first + sorted.length;
}
