import { type PDFDocument, PDFName, PDFStream, PDFString } from '@cantoo/pdf-lib';
import { getDict } from '../pdf-objects.ts';
import { checkGlyphs } from './check-glyphs.ts';
import { shortenTexts } from './shorten-texts.ts';

/**
 * Makes a PDF by Chromium conform to PDF/A-3b (ISO 19005-3), except for its XMP packet and its file
 * identifier. Returns warnings. Throws FinishFault if it cannot conform.
 */
export function makeArchive(pdf: PDFDocument): string[] {
  checkGlyphs(pdf);
  completeGroups(pdf);
  setOutputIntent(pdf);
  return shortenTexts(pdf);
}

/** Gives groups of transparent content a color space (ISO 19005-3 §6.2.10): those of forms have none. */
function completeGroups({ context }: PDFDocument): void {
  for (const [, object] of context.enumerateIndirectObjects()) {
    const group = object instanceof PDFStream ? getDict(object.dict, PDFName.of('Group')) : undefined;
    if (group?.has(PDFName.of('CS')) === false) group.set(PDFName.of('CS'), PDFName.of('DeviceRGB'));
  }
}

/**
 * The sRGB color space (IEC 61966-2-1) as an ICC profile (ICC.1:2004-10, version 4.2) of 548 bytes, deflated.
 * It was made from the numbers of the standards: no foreign file is part of the PDFs.
 */
const SRGB_PROFILE = [
  'eNqVkL9LAnEYxj+nhiBGQw0NDV/CNo00kIKGUEKCaLACtek87zTwx/G9E3EvaBSagoawof+g1sa2gqAhpD+gKYpaSi7OC5SgoGf6',
  '8PA+Lw8P+CIAAQG1ui2zmZTI5Qsi+ISCwkCqZpn8qfd77/Yuxv8VKumWBnwCq5opbVBWgI2Wbbp8CExpFbUEygkQlbl8AZRr1y97',
  '3HO56PGzy3I7mwZfABDlES6OcK3a1L47uO3Den1nC5gFZrDIkiGFYJ010iSJs0ySJDESzBOHX/ILg/wmDQQaDUzaSPYoU8EmiqCJ',
  'hY7AQKKjU6Xtbv5zS8tYTHjfwykYe3Sc1zkIHkG/4zgfXcfpn4G/B1f1Yb7RhaU38HeGXvEYLg9g+mHoRU5hYh8ubkxVqgPLD/gM',
  'A17OYTwPk7cQ2v0C6P9aFQ==',
].join('');

/**
 * Says that the colors of the PDF, which Chromium writes as colors of the device, are sRGB (ISO 19005-3
 * §6.2.3).
 */
function setOutputIntent({ context, catalog }: PDFDocument): void {
  const profile = context.stream(Buffer.from(SRGB_PROFILE, 'base64'), { N: 3, Filter: 'FlateDecode' });
  const intent = context.obj({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('sRGB IEC61966-2.1'),
    Info: PDFString.of('sRGB IEC61966-2.1'),
    DestOutputProfile: context.register(profile),
  });
  catalog.set(PDFName.of('OutputIntents'), context.obj([context.register(intent)]));
}
