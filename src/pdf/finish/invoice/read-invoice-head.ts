import { SaxesParser, type SaxesTagNS } from 'saxes';

/** The parts of an invoice that say what kind of invoice it is. */
export interface InvoiceHead {
  rootName: string;
  rootNamespace: string;
  /** The identifiers of the guidelines that the invoice follows (BT-24); one of them is expected. */
  guidelines: string[];
}

/** A fault of the XML, as a sentence that continues the name of the member. */
export class InvoiceXmlFault extends Error {
  override name = 'InvoiceXmlFault';
  /** The name of the root, as far as the XML could be read; empty if it has none. */
  readonly rootName: string;

  constructor(message: string, rootName = '') {
    super(message);
    this.rootName = rootName;
  }
}

/** Invoices nest about 10 elements. The parser looks a prefix up in all elements that are open. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
/** The parser compares the namespaces of all attributes of an element. */
const MAX_NAMESPACE_CHARACTERS = 300;
/** An identifier is read up to this length. */
const MAX_ID_CHARACTERS = 300;

const GUIDELINE_PATH = ['ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter', 'ID'];
const MESSAGES = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';

/**
 * Reads the whole XML and returns its head. Throws InvoiceXmlFault if it is not well-formed, has a DOCTYPE,
 * an encoding other than UTF-8, or an element that is nested deeper than in any invoice.
 */
export function readInvoiceHead(xml: string): InvoiceHead {
  const head: InvoiceHead = { rootName: '', rootNamespace: '', guidelines: [] };
  try {
    parseInto(head, xml);
    return head;
  } catch (error) {
    throw error instanceof InvoiceXmlFault ? new InvoiceXmlFault(error.message, head.rootName) : error;
  }
}

function parseInto(head: InvoiceHead, xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  let identifier: string | null = null;
  refuseUnsafe(parser, head);
  parser.on('opentag', ({ local, uri }: SaxesTagNS) => {
    if (path.length >= MAX_DEPTH)
      throw new InvoiceXmlFault(`nests more than ${MAX_DEPTH} elements at line ${parser.line}`);
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
  parser.write(xml).close();
}

function isGuidelinePath(path: readonly string[]): boolean {
  return path.length === 4 && GUIDELINE_PATH.every((name, index) => path[index + 1] === name);
}

/** Lets the parser throw at what is not well-formed, and at what an invoice must not have. */
function refuseUnsafe(parser: SaxesParser<{ xmlns: true }>, head: InvoiceHead): void {
  let attributes = 0;
  parser.on('error', (error) => {
    throw new InvoiceXmlFault(`is not well-formed XML, at ${describeFault(error.message)}`);
  });
  parser.on('doctype', () => {
    throw new InvoiceXmlFault('has a DOCTYPE: send it without one, and without entities');
  });
  parser.on('xmldecl', ({ version, encoding }) => {
    if (version !== undefined && version !== '1.0')
      throw new InvoiceXmlFault(`is XML ${version}: send XML 1.0`);
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      throw new InvoiceXmlFault(
        `declares the encoding ${encoding}: it is embedded as UTF-8, so declare that or none`,
      );
  });
  parser.on('opentagstart', ({ name }) => {
    // Before its attributes, which may be HTML's.
    if (head.rootName === '') head.rootName = name.replace(/^.*:/, '');
    attributes = 0;
  });
  parser.on('attribute', ({ name, value }) => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES)
      throw new InvoiceXmlFault(
        `has an element with more than ${MAX_ATTRIBUTES} attributes at line ${parser.line}`,
      );
    if (/^xmlns(?::|$)/.test(name) && value.length > MAX_NAMESPACE_CHARACTERS)
      throw new InvoiceXmlFault(`has a namespace of ${value.length} characters at line ${parser.line}`);
  });
}

/** Formats a message of the parser, `3:17: unclosed tag: a`. Names of the XML in it may be of any length. */
function describeFault(message: string): string {
  const [, line = '1', column = '1', text = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
  return `line ${line}, column ${column}: ${text.replace(/\.$/, '').slice(0, 120)}`;
}
