/** The electronic invoice of a request. */
import type { OptionTable } from '#options';
import {
  INVOICE_PROFILES,
  type ElectronicInvoice,
  type Finishing,
  type InvoiceProfile,
} from '../finish/finishing.ts';
import { checkInvoiceXml } from '../finish/invoice/check-invoice-xml.ts';
import { toNameKey } from './attachment-members.ts';
import { checkNoUnknownMembers } from './check-members.ts';
import {
  type Body,
  checkTextSize,
  formatChoices,
  getMember,
  isObject,
  throwInvalid,
  throwUnexpected,
} from './members.ts';

const MEMBER = 'facturx';

/** UTF-8 bytes of the XML of an invoice. */
export const MAX_INVOICE_BYTES = 5_242_880;

export const INVOICE_OPTIONS = {
  xml: {
    type: 'string',
    required: true,
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
} as const satisfies OptionTable;
const INVOICE_MEMBERS: ReadonlySet<string> = new Set(Object.keys(INVOICE_OPTIONS));

/** Checks the size of the invoice's XML. Throws `payload_too_large`. */
export function checkInvoiceSize(body: Body): void {
  const value = getMember(body, MEMBER);
  if (isObject(value)) checkTextSize(value, 'xml', MAX_INVOICE_BYTES, MEMBER);
}

/** Parses the electronic invoice of a request. Throws `invalid_parameter`. */
export function parseInvoice(body: Body): ElectronicInvoice | null {
  const value = getMember(body, MEMBER);
  if (value === undefined) return null;
  if (!isObject(value))
    throwInvalid(
      MEMBER,
      `${MEMBER} must be an object, such as {"xml": "<rsm:CrossIndustryInvoice …", "profile": "EN 16931"}.`,
    );
  checkNoUnknownMembers(value, INVOICE_MEMBERS, MEMBER);
  const { xml } = value;
  if (typeof xml !== 'string' || xml.trim() === '')
    throwUnexpected(`${MEMBER}.xml`, 'the XML of the invoice, as a string', xml ?? undefined);
  const profile = parseProfile(value['profile']);
  const guideline = checkInvoiceXml(xml, profile);
  return { xml, profile, guideline };
}

/** Spaces and case do not matter: `en16931` is `EN 16931`. */
function parseProfile(value: unknown): InvoiceProfile {
  const toKey = (text: string): string => text.replace(/[\s_-]+/g, '').toUpperCase();
  const found =
    typeof value === 'string' && value.length <= 100
      ? INVOICE_PROFILES.find((profile) => toKey(profile) === toKey(value))
      : undefined;
  return found ?? throwUnexpected(`${MEMBER}.profile`, formatChoices(INVOICE_PROFILES), value ?? undefined);
}

/** Checks that no other file in the PDF has the name of the invoice. Throws `invalid_parameter`. */
export function checkInvoiceName({ invoice, attachments }: Pick<Finishing, 'invoice' | 'attachments'>): void {
  if (invoice === null) return;
  const name = invoice.profile === 'XRECHNUNG' ? 'xrechnung.xml' : 'factur-x.xml';
  const index = attachments.findIndex((attachment) => toNameKey(attachment.name) === name);
  if (index >= 0)
    throwInvalid(
      `attachments[${index}].name`,
      `attachments[${index}].name must not be ${name}: the PDF attaches the XML of ${MEMBER} by this name.`,
    );
}
