/** Reads title and number of pages of a PDF. Runs none of it, and decompresses no more than 4 MiB. */
import { normalizeText } from '../../page/text.ts';
import { decodeXmlBytes, getLocalName, scanXml } from '../../xml/scan-xml.ts';
import { getNumber, PdfObjects } from './pdf-objects.ts';
import { decodePdfText, parsePdfValue, type PdfValue } from './pdf-values.ts';

export interface PdfDescription {
  title: string | null;
  pages: number | null;
}

const MAX_PAGES = 1_000_000;
const MAX_XMP_BYTES = 65_536;

/**
 * Describes a PDF, or as much of it as was read. The number of pages is in its catalog, which is often at the
 * end, or at the start of a file that is made for the web (linearized). Texts of encrypted files are null.
 */
export function describePdf(bytes: Buffer): PdfDescription {
  const objects = new PdfObjects(bytes);
  const { trailer } = objects;
  const catalog = objects.findDictionary(trailer.get('Root'));
  const count = getNumber(objects.findDictionary(catalog?.get('Pages')), 'Count');
  const linearized = objects.first?.has('Linearized') === true ? getNumber(objects.first, 'N') : null;
  const pages = count ?? linearized;
  const isEncrypted = trailer.has('Encrypt');
  const info = isEncrypted ? null : objects.findDictionary(trailer.get('Info'));
  const title =
    findTitle(objects, info?.get('Title')) ?? findXmpTitle(objects.findStream(catalog?.get('Metadata')));
  return { title, pages: pages === null || pages === 0 || pages > MAX_PAGES ? null : pages };
}

function findTitle(objects: PdfObjects, value: PdfValue | undefined): string | null {
  const text = objects.findText(value);
  const title = text === null ? value : parsePdfValue(text);
  return title?.kind === 'string' ? normalizePdfText(title.value) : null;
}

/** A title is plain text: `&amp;` in it is no reference. */
function normalizePdfText(value: string): string | null {
  return normalizeText(decodePdfText(value).replaceAll('&', '&amp;'), 'text');
}

/** Returns the first text in `dc:title` of XMP metadata (ISO 16684-1), which is not compressed, or null. */
function findXmpTitle(stream: Buffer | null): string | null {
  if (stream === null) return null;
  let isInTitle = false;
  for (const part of scanXml(decodeXmlBytes(stream.subarray(0, MAX_XMP_BYTES), null))) {
    if (part.kind === 'text') {
      const text = isInTitle ? normalizeText(part.text.replaceAll('&', '&amp;'), 'text') : null;
      if (text !== null) return text;
    } else if (getLocalName(part.name) === 'title') isInTitle = part.kind === 'open' && !part.isEmpty;
  }
  return null;
}
