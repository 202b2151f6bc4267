import { deflateSync } from 'node:zlib';
import { PDFName, PDFString, type PDFDocument } from '@cantoo/pdf-lib';
import { createSrgbProfile } from './srgb-profile.ts';

/**
 * Says that the colors of the PDF, which Chromium writes as those of the device, are sRGB
 * (ISO 19005-3 §6.2.3).
 */
export function setOutputIntent({ context, catalog }: PDFDocument): void {
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
