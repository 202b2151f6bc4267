import {
  FACTUR_X_EXTENSION_SCHEMA,
  type PDFDict,
  type PDFDocument,
  PDFName,
  PDFRef,
  buildFacturXDescription,
} from '@cantoo/pdf-lib';
import type { ElectronicInvoice } from './finishing.ts';
import { describeInvoice } from './invoice/invoice-file.ts';
import { getInfo, getText } from './pdf-objects.ts';

/** The standards that a PDF declares to conform to. */
interface Conformance {
  /** PDF/UA-1 (ISO 14289-1). */
  pdfua: boolean;
  pdfa: '3b' | null;
  invoice: ElectronicInvoice | null;
}

/**
 * Writes the XMP packet of a PDF (ISO 16684-1): the metadata of its information dictionary, its language, and
 * the standards that it declares. Replaces an earlier packet. Both say the same if it is the last to be
 * written.
 */
export function setXmp(pdf: PDFDocument, conformance: Conformance): void {
  const packet = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
${[...formatMetadata(pdf), ...formatConformance(conformance)].filter(Boolean).join('\n')}
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
  // PDF/A does not allow a filter here: programs find the packet in a file that they cannot parse.
  const stream = pdf.context.stream(Buffer.from(packet), { Type: 'Metadata', Subtype: 'XML' });
  const key = PDFName.of('Metadata');
  const earlier = pdf.catalog.get(key);
  if (earlier instanceof PDFRef) pdf.context.delete(earlier);
  pdf.catalog.set(key, pdf.context.register(stream));
}

function formatMetadata(pdf: PDFDocument): string[] {
  const info = getInfo(pdf);
  const read = (dictionary: PDFDict, key: string): string | null =>
    getText(dictionary.lookup(PDFName.of(key)));
  const text = (name: string, value: string | null): string | null =>
    value === null ? null : `<${name}>${escapeXml(value)}</${name}>`;
  const list = (name: string, kind: 'Alt' | 'Bag' | 'Seq', value: string | null): string | null => {
    const item = `<rdf:li${kind === 'Alt' ? ' xml:lang="x-default"' : ''}>${escapeXml(value ?? '')}</rdf:li>`;
    return value === null ? null : `<${name}><rdf:${kind}>${item}</rdf:${kind}></${name}>`;
  };
  const modified = formatDate(read(info, 'ModDate'));
  return [
    describe('dc', 'http://purl.org/dc/elements/1.1/', [
      '<dc:format>application/pdf</dc:format>',
      list('dc:title', 'Alt', read(info, 'Title')),
      list('dc:creator', 'Seq', read(info, 'Author')),
      list('dc:description', 'Alt', read(info, 'Subject')),
      list('dc:language', 'Bag', read(pdf.catalog, 'Lang')),
    ]),
    describe('xmp', 'http://ns.adobe.com/xap/1.0/', [
      text('xmp:CreatorTool', read(info, 'Creator')),
      text('xmp:CreateDate', formatDate(read(info, 'CreationDate'))),
      text('xmp:ModifyDate', modified),
      text('xmp:MetadataDate', modified),
    ]),
    describe('pdf', 'http://ns.adobe.com/pdf/1.3/', [
      text('pdf:Producer', read(info, 'Producer')),
      text('pdf:Keywords', read(info, 'Keywords')),
    ]),
  ];
}

/** Converts a date string (ISO 32000-1 §7.9.4) by Chromium to ISO 8601: `D:20261123075912+00'00'`. */
function formatDate(text: string | null): string | null {
  const parts = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)([+-]\d\d)'(\d\d)'$/.exec(text ?? '');
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, offset, offsetMinutes] = parts;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}:${offsetMinutes}`;
}

function formatConformance({ pdfua, pdfa, invoice }: Conformance): string[] {
  const file = invoice && describeInvoice(invoice);
  return [
    describe('pdfaid', 'http://www.aiim.org/pdfa/ns/id/', [
      pdfa && '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>',
    ]),
    describe('pdfuaid', PDFUA, [pdfua && '<pdfuaid:part>1</pdfuaid:part>']),
    file ? buildFacturXDescription({ ...file, documentType: 'INVOICE', conformanceLevel: file.profile }) : '',
    pdfa ? formatExtensionSchemas(pdfua, file !== null) : '',
  ];
}

/** Formats the properties of one namespace; an empty text if there are none. */
function describe(prefix: string, namespace: string, properties: readonly (string | false | null)[]): string {
  const content = properties.filter(Boolean).join('\n');
  return (
    content && `<rdf:Description rdf:about="" xmlns:${prefix}="${namespace}">\n${content}\n</rdf:Description>`
  );
}

const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';
const PDFUA_SCHEMA = `<rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${PDFUA}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289 that the file conforms to</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li>`;
/** The items of the library's list of schemas, which describes only Factur-X. */
const SCHEMAS = /(?<=<pdfaExtension:schemas><rdf:Bag>)[^]*(?=<\/rdf:Bag><\/pdfaExtension:schemas>)/;

/** Describes the schemas that PDF/A does not define: a file that uses one must (ISO 19005-3 §6.6.2.3). */
function formatExtensionSchemas(pdfua: boolean, hasInvoice: boolean): string {
  if (!pdfua && !hasInvoice) return '';
  return FACTUR_X_EXTENSION_SCHEMA.replace(
    SCHEMAS,
    (facturx) => (hasInvoice ? facturx : '') + (pdfua ? PDFUA_SCHEMA : ''),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for XML, without the characters that XML 1.0 cannot have. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '');
}
