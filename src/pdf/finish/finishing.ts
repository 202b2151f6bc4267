/** The additions of a request to its PDF after Chromium printed it. Plain data: it crosses threads. */

/** A file inside the PDF (ISO 32000-1 §7.11.4). */
export interface Attachment {
  name: string;
  /** Such as `text/csv`. */
  mediaType: string;
  bytes: Uint8Array;
  /** Its relationship to the document (ISO 32000-2 §7.11.3, AFRelationship). */
  relationship: 'Source' | 'Data' | 'Alternative' | 'Supplement' | 'Unspecified';
  description: string | null;
}

/** The permissions that a reader without the owner's password may have (ISO 32000-2, table 22). */
export const PERMISSIONS = [
  'print',
  'print_high_quality',
  'modify',
  'copy',
  'annotate',
  'fill_forms',
  'assemble',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Passwords of the PDF, which is encrypted with AES-256. At least one of them is not null. */
export interface Encryption {
  /** Opens the PDF. Null: it opens without a password. */
  password: string | null;
  /** Gives all permissions. Null: `permissions` apply to every reader. */
  ownerPassword: string | null;
  permissions: readonly Permission[];
}

/** The profiles of Factur-X 1.0 and ZUGFeRD 2, as the XMP metadata names them (ConformanceLevel). */
export const INVOICE_PROFILES = [
  'MINIMUM',
  'BASIC WL',
  'BASIC',
  'EN 16931',
  'EXTENDED',
  'XRECHNUNG',
] as const;
export type InvoiceProfile = (typeof INVOICE_PROFILES)[number];

/** The XML of an electronic invoice, which the PDF shows. */
export interface ElectronicInvoice {
  xml: string;
  profile: InvoiceProfile;
  /** The identifier of the guideline that the XML names (BT-24); null until the XML is checked. */
  guideline: string | null;
}
