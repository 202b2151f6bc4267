import {
  INVOICE_PROFILES,
  type Attachment,
  type ElectronicInvoice,
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
import { MAX_INVOICE_BYTES } from './limits.ts';

const MEMBER = 'facturx';

export const INVOICE_MEMBERS: ReadonlySet<string> = new Set(['xml', 'profile']);

/** Checks the size of the invoice's XML. Throws `payload_too_large`. */
export function checkInvoiceSize(body: Body): void {
  const value = getMember(body, MEMBER);
  if (isObject(value)) checkTextSize(value, 'xml', MAX_INVOICE_BYTES, MEMBER);
}

/** Parses the electronic invoice of a request. Throws `invalid_parameter`. */
export function parseInvoice(body: Body, attachments: readonly Attachment[]): ElectronicInvoice | null {
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
  checkFileName(profile, attachments);
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

/** The invoice is a file in the PDF: no other may have its name. */
function checkFileName(profile: InvoiceProfile, attachments: readonly Attachment[]): void {
  const name = profile === 'XRECHNUNG' ? 'xrechnung.xml' : 'factur-x.xml';
  const index = attachments.findIndex((attachment) => toNameKey(attachment.name) === name);
  if (index >= 0)
    throwInvalid(
      `attachments[${index}].name`,
      `attachments[${index}].name must not be ${name}: the PDF attaches the XML of ${MEMBER} by this name.`,
    );
}
