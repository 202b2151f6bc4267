import type { Attachment, ElectronicInvoice, InvoiceProfile } from '../finishing.ts';

/** The metadata of the file, as the XMP packet names it. */
export interface InvoiceFile {
  fileName: string;
  version: string;
  profile: InvoiceProfile;
}

/** Profiles whose data is less than an invoice: the pages are the invoice, and the XML only data of it. */
const INCOMPLETE: ReadonlySet<InvoiceProfile> = new Set(['MINIMUM', 'BASIC WL']);

/** Returns the name of the file and the version of the standard (Factur-X 1.0, XRechnung 3.0 and so on). */
export function describeInvoice({ guideline, profile }: ElectronicInvoice): InvoiceFile {
  if (profile !== 'XRECHNUNG') return { fileName: 'factur-x.xml', version: '1.0', profile };
  const version = /:xrechnung_(\d+\.\d+)/.exec(guideline)?.[1] ?? '3.0';
  return { fileName: 'xrechnung.xml', version, profile };
}

/** Returns the XML as a file inside the PDF (Factur-X 1.0 §6.2.2, ZUGFeRD 2 §6.2). */
export function toAttachment(invoice: ElectronicInvoice): Attachment {
  return {
    name: describeInvoice(invoice).fileName,
    mediaType: 'text/xml',
    bytes: Buffer.from(invoice.xml, 'utf8'),
    relationship: INCOMPLETE.has(invoice.profile) ? 'Data' : 'Alternative',
    description: 'Electronic invoice as XML',
  };
}
