import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ApiError } from '#errors';
import type { InvoiceProfile } from '../finishing.ts';
import { findProfile, getGuideline } from './invoice-file.ts';

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

/** Invoices nest about 10 elements. The parser looks a prefix up in all elements that are open. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
/** The parser compares the namespaces of all attributes of an element. */
const MAX_NAMESPACE_CHARACTERS = 300;
/** The parser spends 0.5 µs for each of these. An invoice of 5 MiB has about 200,000 tags. */
const MAX_MARKS = { '<': 300_000, '&': 100_000 } as const;
const MARK_NAMES = {
  '<': 'tags: send an invoice with fewer lines',
  '&': 'references such as &#65; or &amp;: write the characters themselves',
};
/** An identifier is read up to this length. */
const MAX_ID_CHARACTERS = 300;

const GUIDELINE_PATH = ['ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter', 'ID'];
const MESSAGES = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';

/** The parts of an invoice that say what kind of invoice it is. */
interface InvoiceHead {
  rootName: string;
  rootNamespace: string;
  /** The identifiers of the guidelines that the invoice follows (BT-24); one of them is expected. */
  guidelines: string[];
}

/**
 * Checks that XML is an invoice that a PDF of this profile may carry: well-formed, of UN/CEFACT's Cross
 * Industry Invoice, without DOCTYPE, in UTF-8, not nested deeper than any invoice, and with the guideline of
 * the profile. Its business rules are not checked. Returns the guideline id. Throws ApiError.
 */
export function checkInvoiceXml(xml: string, profile: InvoiceProfile): string {
  if (!xml.isWellFormed()) throw createError('has half of a surrogate pair: send Unicode text');
  for (const mark of ['<', '&'] as const)
    if (hasMore(xml, mark, MAX_MARKS[mark]))
      throw createError(`has more than ${MAX_MARKS[mark].toLocaleString('en')} ${MARK_NAMES[mark]}`);
  const head: InvoiceHead = { rootName: '', rootNamespace: '', guidelines: [] };
  const parser = new SaxesParser({ xmlns: true });
  const fail = (fault: string): never => {
    const rootName = head.rootName || (HTML.test(xml.slice(0, MAX_PROLOG)) ? 'html' : '');
    if (rootName !== '' && rootName !== ROOT)
      throw createError(`is ${describeRoot(rootName)}: ${formatAdvice(profile)}`);
    if (xml.trimStart().startsWith('<')) throw createError(fault);
    throw createError(`${fault}. ${describeStart(xml)}: ${formatAdvice(profile)}`);
  };
  refuseUnsafe(parser, head, fail);
  collectHead(parser, head, fail);
  parser.write(xml).close();
  checkRoot(head, profile);
  return checkGuideline(head.guidelines, profile);
}

/** Checks whether a mark occurs more than `max` times, before anything is parsed. */
function hasMore(text: string, mark: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= max; at = text.indexOf(mark, at + 1)) count += 1;
  return count > max;
}

type Parser = SaxesParser<{ xmlns: true }>;
type Fail = (fault: string) => never;

/** Lets the parser set the members of `head`. */
function collectHead(parser: Parser, head: InvoiceHead, fail: Fail): void {
  const path: string[] = [];
  let identifier: string | null = null;
  parser.on('opentag', ({ local, uri }: SaxesTagNS) => {
    if (path.length >= MAX_DEPTH) fail(`nests more than ${MAX_DEPTH} elements at line ${parser.line}`);
    if (path.length === 0) [head.rootName, head.rootNamespace] = [local, uri];
    path.push(path.length > 1 && uri !== MESSAGES ? '' : local);
    if (isGuidelinePath(path)) identifier = '';
  });
  const append = (text: string): void => {
    if (identifier !== null && identifier.length < MAX_ID_CHARACTERS) identifier += text;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    if (identifier !== null && isGuidelinePath(path)) {
      head.guidelines.push(identifier.trim().slice(0, MAX_ID_CHARACTERS));
      identifier = null;
    }
    path.pop();
  });
}

function isGuidelinePath(path: readonly string[]): boolean {
  return path.length === 4 && GUIDELINE_PATH.every((name, index) => path[index + 1] === name);
}

/** Lets the parser throw at what is not well-formed, and at what an invoice must not have. */
function refuseUnsafe(parser: Parser, head: InvoiceHead, fail: Fail): void {
  let attributes = 0;
  parser.on('error', ({ message }) => fail(`is not well-formed XML, at ${describeFault(message)}`));
  parser.on('doctype', () => fail('has a DOCTYPE: send it without one, and without entities'));
  parser.on('xmldecl', ({ version, encoding }) => {
    if (version !== undefined && version !== '1.0') fail(`is XML ${version}: send XML 1.0`);
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      fail(`declares the encoding ${encoding}: it is embedded as UTF-8, so declare that or none`);
  });
  parser.on('opentagstart', ({ name }) => {
    // Before its attributes, which may be HTML's.
    if (head.rootName === '') head.rootName = name.replace(/^.*:/, '');
    attributes = 0;
  });
  parser.on('attribute', ({ name, value }) => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES)
      fail(`has an element with more than ${MAX_ATTRIBUTES} attributes at line ${parser.line}`);
    if (/^xmlns(?::|$)/.test(name) && value.length > MAX_NAMESPACE_CHARACTERS)
      fail(`has a namespace of ${value.length} characters at line ${parser.line}`);
  });
}

/** Formats a message of the parser, `3:17: unclosed tag: a`. Names of the XML in it may be of any length. */
function describeFault(message: string): string {
  const [, line = '1', column = '1', text = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
  return `line ${line}, column ${column}: ${text.replace(/\.$/, '').slice(0, 120)}`;
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
