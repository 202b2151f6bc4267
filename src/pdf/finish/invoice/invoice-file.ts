import type { Attachment, ElectronicInvoice, InvoiceProfile } from '../finishing.ts';

/** XRechnung up to 2.3 is of KoSIT under XÖV, 3.0 and later of xeinkauf.de; either may have an extension. */
const XRECHNUNG =
  /^urn:cen\.eu:en16931:2017#compliant#urn:(?:xoev-de:kosit:standard|xeinkauf\.de:kosit):xrechnung_\d+\.\d+(?:#conformant#urn:(?:xoev-de|xeinkauf\.de):kosit:extension:xrechnung_\d+\.\d+)?$/;

/** The identifiers of the guidelines (BT-24) that the profiles of Factur-X 1.0 stand for. */
const PROFILES: Readonly<Record<string, InvoiceProfile>> = {
  'urn:factur-x.eu:1p0:minimum': 'MINIMUM',
  'urn:factur-x.eu:1p0:basicwl': 'BASIC WL',
  'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic': 'BASIC',
  'urn:cen.eu:en16931:2017': 'EN 16931',
  'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended': 'EXTENDED',
};

/** Returns the profile that a guideline stands for; null if it is of none. */
export function findProfile(guideline: string): InvoiceProfile | null {
  if (XRECHNUNG.test(guideline)) return 'XRECHNUNG';
  return Object.hasOwn(PROFILES, guideline) ? (PROFILES[guideline] ?? null) : null;
}

/** Returns the guideline that a sender of this profile most likely wants to name. */
export function getGuideline(profile: InvoiceProfile): string {
  const known = Object.entries(PROFILES).find(([, of]) => of === profile);
  return known?.[0] ?? 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0';
}

/** Profiles whose data is less than an invoice: the pages are the invoice, and the XML only data of it. */
const INCOMPLETE: ReadonlySet<InvoiceProfile> = new Set(['MINIMUM', 'BASIC WL']);

/** Returns the name of the file and the version of the standard (Factur-X 1.0, XRechnung 3.0 and so on). */
export function describeInvoice({ guideline, profile }: ElectronicInvoice) {
  if (profile !== 'XRECHNUNG') return { fileName: 'factur-x.xml', version: '1.0', profile };
  const version = /:xrechnung_(\d+\.\d+)/.exec(guideline ?? '')?.[1] ?? '3.0';
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
