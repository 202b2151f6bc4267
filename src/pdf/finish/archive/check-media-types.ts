import { PDFName, PDFStream, type PDFDocument } from '@cantoo/pdf-lib';
import { ArchiveFault } from './archive-fault.ts';

/** The form of a media type for validators (ISO 19005-3 §6.8), within the longest name (§6.1.13). */
const MEDIA_TYPE = /^(?=.{1,127}$)[-\w+.]+\/[-\w+.]+$/;

/** Checks the media types of attached files. Throws ArchiveFault. */
export function checkMediaTypes({ context }: PDFDocument): void {
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
