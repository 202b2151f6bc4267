/** The electronic invoice of a request. */
import {
  INVOICE_PROFILES,
  type ElectronicInvoice,
  type Finishing,
  type InvoiceProfile,
} from '../finish/finishing.ts';
import { checkInvoiceXml } from '../finish/invoice/check-invoice-xml.ts';
import { toNameKey } from './attachment-members.ts';
import { checkNoUnknownMembers } from './check-members.ts';
import { isObject, parseOptions, type PdfOptionRow, throwInvalid, type Rules } from './members.ts';

/** UTF-8 bytes of the XML of an invoice. */
export const MAX_INVOICE_BYTES = 5_242_880;

export const INVOICE_OPTIONS = {
  xml: {
    type: 'string',
    required: true,
    maxBytes: MAX_INVOICE_BYTES,
    parse: (text: string) => (text.trim() === '' ? null : text),
    expected: 'the XML of the invoice, as a string',
    description:
      'The XML of the invoice, at most 5 MiB. It has no DTD, and its guideline is that of the profile.',
    example: '<?xml version="1.0"?><rsm:CrossIndustryInvoice …',
    flag: {
      name: 'facturx',
      summary: 'XML of the electronic invoice to attach',
      placeholder: 'file',
      isFile: true,
    },
    control: { label: 'Invoice XML', hint: 'Factur-X, ZUGFeRD or XRechnung (CII)', isCode: true },
  },
  profile: {
    type: 'string',
    required: true,
    enum: INVOICE_PROFILES,
    parse: parseProfile,
    description: 'The profile; case and spaces do not matter.',
    example: 'EN 16931',
    flag: {
      name: 'facturx-profile',
      summary: 'The profile of the invoice, such as EN16931',
      placeholder: 'name',
      hasOtherSpellings: true,
    },
    control: { label: 'Profile' },
  },
} as const satisfies Record<string, PdfOptionRow>;

/** Parses the electronic invoice of a request. Throws `invalid_parameter`. */
export function parseInvoice(value: unknown, _row: Rules, member: string): ElectronicInvoice {
  if (!isObject(value))
    throwInvalid(
      member,
      `${member} must be an object, such as {"xml": "<rsm:CrossIndustryInvoice …", "profile": "EN 16931"}.`,
    );
  checkNoUnknownMembers(value, INVOICE_OPTIONS, member);
  const given = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  const { xml, profile } = parseOptions(given, INVOICE_OPTIONS, `${member}.`);
  return { xml, profile, guideline: checkInvoiceXml(xml, profile) };
}

/** Spaces and case do not matter: `en16931` is `EN 16931`. */
function parseProfile(text: string): InvoiceProfile | null {
  const toKey = (profile: string): string => profile.replace(/[\s_-]+/g, '').toUpperCase();
  if (text.length > 100) return null;
  return INVOICE_PROFILES.find((profile) => toKey(profile) === toKey(text)) ?? null;
}

/** Checks that no other file in the PDF has the name of the invoice. Throws `invalid_parameter`. */
export function checkInvoiceName({ invoice, attachments }: Pick<Finishing, 'invoice' | 'attachments'>): void {
  if (invoice === null) return;
  const name = invoice.profile === 'XRECHNUNG' ? 'xrechnung.xml' : 'factur-x.xml';
  const index = attachments.findIndex((attachment) => toNameKey(attachment.name) === name);
  if (index >= 0)
    throwInvalid(
      `attachments[${index}].name`,
      `attachments[${index}].name must not be ${name}: the PDF attaches the XML of facturx by this name.`,
    );
}
