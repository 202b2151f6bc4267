/** Schemas that PDF/A does not define: a PDF/A file that uses one describes it (ISO 19005-3 §6.6.2.3). */

interface Schema {
  name: string;
  namespace: string;
  prefix: string;
  properties: readonly Property[];
}

interface Property {
  name: string;
  type: 'Text' | 'Integer';
  /** `internal`: programs keep it up to date. `external`: people, or the data that is embedded. */
  category: 'internal' | 'external';
  description: string;
}

const INVOICE_SCHEMA: Schema = {
  name: 'Factur-X PDFA Extension Schema',
  namespace: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
  prefix: 'fx',
  properties: [
    {
      name: 'DocumentFileName',
      type: 'Text',
      category: 'external',
      description: 'Name of the embedded XML invoice file',
    },
    { name: 'DocumentType', type: 'Text', category: 'external', description: 'INVOICE' },
    {
      name: 'Version',
      type: 'Text',
      category: 'external',
      description: 'Version of the standard that the embedded XML follows',
    },
    {
      name: 'ConformanceLevel',
      type: 'Text',
      category: 'external',
      description: 'Profile of the embedded XML invoice',
    },
  ],
};

const ACCESSIBILITY_SCHEMA: Schema = {
  name: 'PDF/UA Universal Accessibility Schema',
  namespace: 'http://www.aiim.org/pdfua/ns/id/',
  prefix: 'pdfuaid',
  properties: [
    {
      name: 'part',
      type: 'Integer',
      category: 'internal',
      description: 'Part of ISO 14289 that the file conforms to',
    },
  ],
};

/** Formats the description of the schemas for the XMP packet. */
function formatExtensionSchemas(schemas: readonly Schema[]): string {
  return `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag>
${schemas.map(formatSchema).join('\n')}
</rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;
}

function formatSchema({ name, namespace, prefix, properties }: Schema): string {
  return `<rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>${name}</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${properties.map(formatProperty).join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li>`;
}

function formatProperty({ name, type, category, description }: Property): string {
  return `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>${type}</pdfaProperty:valueType><pdfaProperty:category>${category}</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`;
}

/** The metadata of an XMP packet (ISO 16684-1). Null: there is none. */
export interface XmpMetadata {
  title: string | null;
  author: string | null;
  subject: string | null;
  keywords: string | null;
  /** A BCP 47 tag. */
  language: string | null;
  creator: string | null;
  producer: string | null;
  /** ISO 8601. */
  created: string | null;
  modified: string | null;
}

/** The standards that a PDF declares to conform to. */
export interface Conformance {
  /** PDF/UA-1 (ISO 14289-1). */
  pdfua: boolean;
  pdfa: '3b' | null;
  invoice: { fileName: string; version: string; profile: string } | null;
}

/** Formats the XMP packet of a PDF. */
export function formatXmp(metadata: XmpMetadata, conformance: Conformance): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
${[...formatMetadata(metadata), ...formatConformance(conformance)].join('\n')}
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

function formatMetadata(metadata: XmpMetadata): string[] {
  const { title, author, subject, keywords, language, creator, producer, created, modified } = metadata;
  const text = (name: string, value: string | null): string =>
    value === null ? '' : `<${name}>${escapeXml(value)}</${name}>`;
  const list = (name: string, kind: 'Alt' | 'Bag' | 'Seq', value: string | null): string => {
    const attribute = kind === 'Alt' ? ' xml:lang="x-default"' : '';
    return value === null
      ? ''
      : `<${name}><rdf:${kind}><rdf:li${attribute}>${escapeXml(value)}</rdf:li></rdf:${kind}></${name}>`;
  };
  return [
    describe('dc', 'http://purl.org/dc/elements/1.1/', [
      '<dc:format>application/pdf</dc:format>',
      list('dc:title', 'Alt', title),
      list('dc:creator', 'Seq', author),
      list('dc:description', 'Alt', subject),
      list('dc:language', 'Bag', language),
    ]),
    describe('xmp', 'http://ns.adobe.com/xap/1.0/', [
      text('xmp:CreatorTool', creator),
      text('xmp:CreateDate', created),
      text('xmp:ModifyDate', modified),
      text('xmp:MetadataDate', modified),
    ]),
    describe('pdf', 'http://ns.adobe.com/pdf/1.3/', [
      text('pdf:Producer', producer),
      text('pdf:Keywords', keywords),
    ]),
  ].filter(Boolean);
}

function formatConformance({ pdfua, pdfa, invoice }: Conformance): string[] {
  const extensions = [...(invoice ? [INVOICE_SCHEMA] : []), ...(pdfua ? [ACCESSIBILITY_SCHEMA] : [])];
  return [
    describe('pdfaid', 'http://www.aiim.org/pdfa/ns/id/', [
      pdfa && '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>',
    ]),
    describe(ACCESSIBILITY_SCHEMA.prefix, ACCESSIBILITY_SCHEMA.namespace, [
      pdfua && '<pdfuaid:part>1</pdfuaid:part>',
    ]),
    describe(INVOICE_SCHEMA.prefix, INVOICE_SCHEMA.namespace, [
      invoice &&
        `<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>${escapeXml(invoice.fileName)}</fx:DocumentFileName><fx:Version>${escapeXml(invoice.version)}</fx:Version><fx:ConformanceLevel>${escapeXml(invoice.profile)}</fx:ConformanceLevel>`,
    ]),
    pdfa && extensions.length > 0 ? formatExtensionSchemas(extensions) : '',
  ].filter(Boolean);
}

/** Formats the properties of one namespace; an empty text if there are none. */
function describe(prefix: string, namespace: string, properties: readonly (string | false | null)[]): string {
  const content = properties.filter(Boolean).join('\n');
  return (
    content && `<rdf:Description rdf:about="" xmlns:${prefix}="${namespace}">\n${content}\n</rdf:Description>`
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
