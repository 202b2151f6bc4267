import { ApiError } from '#errors';
import type { InvoiceProfile } from '../finishing.ts';
import { findProfile, getGuideline } from './guidelines.ts';
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

/**
 * Checks that XML is an invoice that a PDF of this profile may carry: well-formed, of UN/CEFACT's Cross
 * Industry Invoice, without DOCTYPE, and with the guideline of the profile. Its business rules are not
 * checked. Throws ApiError.
 */
export function checkInvoiceXml(xml: string, profile: InvoiceProfile): void {
  if (!xml.isWellFormed()) throw createError('has half of a surrogate pair: send Unicode text');
  const head = readHead(xml);
  checkRoot(head);
  checkGuideline(head.guidelines, profile);
}

function readHead(xml: string): InvoiceHead {
  try {
    return readInvoiceHead(xml);
  } catch (error) {
    if (error instanceof InvoiceXmlFault) throw createError(error.message);
    throw error;
  }
}

function checkRoot({ rootName, rootNamespace }: InvoiceHead): void {
  if (rootName === ROOT && rootNamespace === NAMESPACE) return;
  const found =
    rootName === ROOT
      ? `${ROOT} in the namespace ${quote(rootNamespace)}`
      : ((Object.hasOwn(OTHER_ROOTS, rootName) ? OTHER_ROOTS[rootName] : null) ??
        `the element ${quote(rootName)}`);
  throw createError(`is ${found}: send a ${ROOT} in the namespace ${NAMESPACE}`);
}

function checkGuideline(guidelines: readonly string[], profile: InvoiceProfile): void {
  const [guideline] = guidelines;
  if (guideline === undefined || guidelines.length > 1)
    throw createError(
      `has ${guidelines.length} guideline ids (ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID): send one, such as ${getGuideline(profile)}`,
    );
  const named = findProfile(guideline);
  if (named === profile) return;
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
