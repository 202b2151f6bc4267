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

export const INVOICE_SCHEMA: Schema = {
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

export const ACCESSIBILITY_SCHEMA: Schema = {
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
export function formatExtensionSchemas(schemas: readonly Schema[]): string {
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
