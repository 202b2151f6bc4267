import { deflateSync } from 'node:zlib';
import { type PDFDocument, PDFName, PDFStream, PDFString } from '@cantoo/pdf-lib';
import { checkGlyphs } from './check-glyphs.ts';
import { completeObjects } from './complete-objects.ts';
import { shortenTexts } from './shorten-texts.ts';
import { ArchiveFault } from './list-contents.ts';
import { createSrgbProfile } from './srgb-profile.ts';

/**
 * Makes a PDF by Chromium conform to PDF/A-3b (ISO 19005-3), except for its XMP packet and its file
 * identifier. Returns warnings. Throws ArchiveFault if it cannot conform.
 */
export function makeArchive(pdf: PDFDocument): string[] {
  checkMediaTypes(pdf);
  checkGlyphs(pdf);
  completeObjects(pdf);
  setOutputIntent(pdf);
  return shortenTexts(pdf);
}

/** The form of a media type for validators (ISO 19005-3 §6.8), within the longest name (§6.1.13). */
const MEDIA_TYPE = /^(?=.{1,127}$)[-\w+.]+\/[-\w+.]+$/;

/** Checks the media types of attached files. Throws ArchiveFault. */
function checkMediaTypes({ context }: PDFDocument): void {
  const embeddedFile = PDFName.of('EmbeddedFile');
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream) || object.dict.lookup(PDFName.Type) !== embeddedFile) continue;
    const name = object.dict.lookup(PDFName.of('Subtype'));
    const mediaType = name instanceof PDFName ? name.decodeText() : '';
    if (!MEDIA_TYPE.test(mediaType))
      throw new ArchiveFault(
        `PDF/A allows media types of letters, digits and -+._ up to 127 characters, and an attachment has "${mediaType.slice(0, 60)}": send application/octet-stream.`,
      );
  }
}

/**
 * Says that the colors of the PDF, which Chromium writes as colors of the device, are sRGB (ISO 19005-3
 * §6.2.3).
 */
function setOutputIntent({ context, catalog }: PDFDocument): void {
  const profile = context.stream(deflateSync(createSrgbProfile()), { N: 3, Filter: 'FlateDecode' });
  const intent = context.obj({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('sRGB IEC61966-2.1'),
    Info: PDFString.of('sRGB IEC61966-2.1'),
    DestOutputProfile: context.register(profile),
  });
  catalog.set(PDFName.of('OutputIntents'), context.obj([context.register(intent)]));
}
