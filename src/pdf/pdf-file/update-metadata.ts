import { findObjectBody, parseObjectTable, type ObjectTable } from './object-table.ts';
import { addEntry, setTextString } from './text-string.ts';

/** The metadata that a request gives its PDF. Null: as the document has it. */
export interface PdfMetadata {
  title: string | null;
  language: string | null;
}

/** Sets the title in the information dictionary (ISO 32000-1 §14.3.3). */
export function setTitle(info: string, { title }: PdfMetadata): string {
  return title === null ? info : setTextString(info, 'Title', title);
}

/** Sets the language in the catalog, and lets viewers show the title in place of the file name. */
export function setCatalogMetadata(catalog: string, { title, language }: PdfMetadata): string {
  const named = language === null ? catalog : setTextString(catalog, 'Lang', language);
  return title === null || named.includes('/DisplayDocTitle')
    ? named
    : addEntry(named, '/ViewerPreferences <</DisplayDocTitle true>>');
}

/**
 * Sets the metadata of a PDF by Chromium in an incremental update (ISO 32000-1 §7.5.6), as an untagged PDF
 * has no language. Returns any other PDF unchanged.
 */
export function updateMetadata(pdf: Buffer, metadata: PdfMetadata): Buffer {
  const table = parseObjectTable(pdf);
  if (table === null || (metadata.title === null && metadata.language === null)) return pdf;
  const { infoNumber, rootNumber } = table;
  const info = findObjectBody(pdf, table, infoNumber);
  const catalog = findObjectBody(pdf, table, rootNumber);
  if (info === null || catalog === null) return pdf;
  const bodies = new Map([
    [infoNumber, setTitle(pdf.toString('latin1', info.from, info.to), metadata)],
    [rootNumber, setCatalogMetadata(pdf.toString('latin1', catalog.from, catalog.to), metadata)],
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
