import { ApiError } from '#errors';
import type { InvoiceProfile } from '../finishing.ts';
import { findProfile, getGuideline } from './invoice-file.ts';
import { InvoiceXmlFault, readInvoiceHead, type InvoiceHead } from './read-invoice-head.ts';

const PARAM = 'facturx.xml';
const ROOT = 'CrossIndustryInvoice';
const NAMESPACE = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';

/** Roots of other invoices, and what a sender of one should know. */
const OTHER_ROOTS: Readonly<Record<string, string>> = {
  Invoice: 'an invoice in UBL, which a PDF cannot carry as Factur-X',
  CreditNote: 'a credit note in UBL, which a PDF cannot carry as Factur-X',
  CrossIndustryDocument: 'an invoice of ZUGFeRD 1.0, which is obsolete',
  SCRDMCCBDACIOMessageStructure: 'an order of Order-X, not an invoice',
};

/** The kinds of text that is no XML, by its start. */
const OTHER_STARTS: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^%PDF-/, ', which is a PDF'],
  [/^[{[]/, ', which looks like JSON'],
  [/^(?:PD94|PHJzb|77u\/PD)/, ', which is XML in base64'],
  [/^JVBERi/, ', which is a PDF in base64'],
];
const MAX_QUOTED_START = 30;
/** HTML, whose DOCTYPE XML may not even parse, with what may stand before it. */
const HTML = /<!doctype\s{1,20}html\b/i;
const MAX_PROLOG = 500;

/**
 * Checks that XML is an invoice that a PDF of this profile may carry: well-formed, of UN/CEFACT's Cross
 * Industry Invoice, without DOCTYPE, and with the guideline of the profile. Its business rules are not
 * checked. Returns the guideline id. Throws ApiError.
 */
export function checkInvoiceXml(xml: string, profile: InvoiceProfile): string {
  if (!xml.isWellFormed()) throw createError('has half of a surrogate pair: send Unicode text');
  const head = readHead(xml, profile);
  checkRoot(head, profile);
  return checkGuideline(head.guidelines, profile);
}

function readHead(xml: string, profile: InvoiceProfile): InvoiceHead {
  try {
    return readInvoiceHead(xml);
  } catch (error) {
    if (!(error instanceof InvoiceXmlFault)) throw error;
    const { message } = error;
    const rootName = error.rootName || (HTML.test(xml.slice(0, MAX_PROLOG)) ? 'html' : '');
    if (rootName !== '' && rootName !== ROOT)
      throw createError(`is ${describeRoot(rootName)}: ${formatAdvice(profile)}`);
    if (xml.trimStart().startsWith('<')) throw createError(message);
    throw createError(`${message}. ${describeStart(xml)}: ${formatAdvice(profile)}`);
  }
}

/** Describes text that has no element. */
function describeStart(text: string): string {
  const start = text.trim();
  if (start === '') return 'It is empty';
  const kind = OTHER_STARTS.find(([pattern]) => pattern.test(start))?.[1] ?? '';
  return `It begins with ${quote(start.slice(0, MAX_QUOTED_START).toWellFormed())}${kind}`;
}

function checkRoot({ rootName, rootNamespace }: InvoiceHead, profile: InvoiceProfile): void {
  if (rootName === ROOT && rootNamespace === NAMESPACE) return;
  const found =
    rootName === ROOT ? `${ROOT} in the namespace ${quote(rootNamespace)}` : describeRoot(rootName);
  throw createError(`is ${found}: ${formatAdvice(profile)}`);
}

function describeRoot(name: string): string {
  const known = Object.hasOwn(OTHER_ROOTS, name) ? OTHER_ROOTS[name] : undefined;
  if (known !== undefined) return known;
  return `the element ${quote(name)}${/^html$/i.test(name) ? ' (a web page)' : ''}`;
}

/** Says what to send for a profile. */
function formatAdvice(profile: InvoiceProfile): string {
  return `for the profile ${profile} send XML whose root is ${ROOT} in the namespace ${NAMESPACE}, with the guideline id ${getGuideline(profile)}`;
}

function checkGuideline(guidelines: readonly string[], profile: InvoiceProfile): string {
  const [guideline] = guidelines;
  if (guideline === undefined || guidelines.length > 1)
    throw createError(
      `has ${guidelines.length} guideline ids (ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID): send one, such as ${getGuideline(profile)}`,
    );
  const named = findProfile(guideline);
  if (named === profile) return guideline;
  const advice = named === null ? 'is of no profile' : `is of the profile ${named}`;
  throw createError(
    `has the guideline id ${quote(guideline)}, which ${advice}, and facturx.profile is ${profile} (${getGuideline(profile)}): correct one of them`,
  );
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}

function createError(fault: string): ApiError {
  return new ApiError('invalid_parameter', `${PARAM} ${fault}.`, { param: PARAM });
}
