/** The options of generatePdf that are more than a text or a switch, as the page keeps them. */

/** A file to attach. */
export interface AttachedFile {
  name: string;
  media_type: string;
  base64: string;
}

/** A document after the first. `id` is its identity in the list. */
export interface NextDocument {
  id: number;
  html: string;
}

export interface PdfParts {
  documents: readonly NextDocument[];
  usesData: boolean;
  /** JSON that fills the templates. */
  data: string;
  /** Everything that is allowed without the owner's password. */
  permissions: readonly string[];
  isArchive: boolean;
  invoiceXml: string;
  invoiceProfile: string;
  files: readonly AttachedFile[];
}

export const PERMISSIONS: readonly { value: string; label: string }[] = [
  { value: 'print', label: 'Print' },
  { value: 'print_high_quality', label: 'Print in high quality' },
  { value: 'copy', label: 'Copy text' },
  { value: 'modify', label: 'Edit' },
  { value: 'annotate', label: 'Comment' },
  { value: 'fill_forms', label: 'Fill in forms' },
  { value: 'assemble', label: 'Insert and rotate pages' },
];

export const INVOICE_PROFILES = [
  'MINIMUM',
  'BASIC WL',
  'BASIC',
  'EN 16931',
  'EXTENDED',
  'XRECHNUNG',
] as const;

export const NO_PARTS: PdfParts = {
  documents: [],
  usesData: false,
  data: '{\n  "customer": "Ada Lovelace"\n}',
  permissions: PERMISSIONS.map(({ value }) => value),
  isArchive: false,
  invoiceXml: '',
  invoiceProfile: 'EN 16931',
  files: [],
};

/** Returns the members of the request that are used. */
export function formatPdfParts(parts: PdfParts, hasOwnerPassword: boolean): Record<string, unknown> {
  const documents = parts.documents.filter(({ html }) => html.trim() !== '');
  const isRestricted = hasOwnerPassword && parts.permissions.length < PERMISSIONS.length;
  return {
    ...(documents.length > 0 && { more_documents: documents.map(({ html }) => ({ html })) }),
    ...(parts.usesData && { template: 'liquid', data: findData(parts.data) ?? parts.data }),
    ...(parts.files.length > 0 && { attachments: parts.files }),
    ...(isRestricted && { permissions: parts.permissions }),
    ...(parts.isArchive && { pdfa: '3b' }),
    ...(parts.invoiceXml !== '' && { facturx: { xml: parts.invoiceXml, profile: parts.invoiceProfile } }),
  };
}

/** Returns the object that a text of JSON has; null for another text. */
export function findData(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Reads files as base64. */
export async function readFiles(files: readonly File[]): Promise<AttachedFile[]> {
  return Promise.all(
    files.map(async (file) => ({
      name: file.name,
      media_type: file.type === '' ? 'application/octet-stream' : file.type,
      base64: toBase64(new Uint8Array(await file.arrayBuffer())),
    })),
  );
}

/** Arguments of one call of String.fromCharCode: more could exceed the stack. */
const SLICE_BYTES = 8_192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE_BYTES)
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE_BYTES));
  return btoa(text);
}
