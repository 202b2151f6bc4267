/** The document and options of generatePdf, as the page keeps them. */
import { formatPdfParts, type PdfParts } from './pdf-parts.ts';
import { pickChangedMembers } from '../use-call.ts';

/** The texts of the document. */
export interface PdfTexts {
  html: string;
  css: string;
  header_html: string;
  footer_html: string;
}

/** The defaults of the service. The margins are in `margins`. */
export const PDF_DEFAULTS = {
  page_size: 'A4',
  page_width: '',
  page_height: '',
  orientation: 'portrait',
  base_url: '',
  page_ranges: '',
  scale: '1',
  wait_for: '',
  wait_for_expression: '',
  now: '',
  title: '',
  lang: '',
  filename: '',
  author: '',
  subject: '',
  keywords: '',
  first_header_html: '',
  first_footer_html: '',
  watermark_html: '',
  watermark_position: 'behind',
  password: '',
  owner_password: '',
  media: 'print',
  print_background: true,
  javascript: true,
  tagged: false,
  outline: false,
  strict: false,
};
export const DEFAULT_MARGINS = '20mm 15mm';

/** The options. `margins` has one to four lengths, like the property of CSS. */
export type PdfOptions = typeof PDF_DEFAULTS & { margins: string } & PdfParts;

const MARGIN_DEFAULTS = {
  margin_top: '20mm',
  margin_right: '15mm',
  margin_bottom: '20mm',
  margin_left: '15mm',
};

/**
 * Returns the members of the request that differ from the service's defaults. Numeric text becomes a number
 * if the service takes numbers; a sheet of another size has no name.
 */
export function formatPdfMembers(
  texts: PdfTexts,
  {
    margins,
    documents,
    data,
    usesData,
    permissions,
    isArchive,
    invoiceXml,
    invoiceProfile,
    files,
    ...options
  }: PdfOptions,
): Record<string, unknown> {
  const { html, ...others } = texts;
  const parts = { documents, data, usesData, permissions, isArchive, invoiceXml, invoiceProfile, files };
  const members = pickChangedMembers(
    { ...options, ...parseMargins(margins), ...others },
    { ...PDF_DEFAULTS, ...MARGIN_DEFAULTS },
  );
  if (members.page_width !== undefined || members.page_height !== undefined) delete members.page_size;
  for (const name of ['scale', 'wait_for']) {
    const value = members[name];
    if (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)) members[name] = Number(value);
  }
  if (members.watermark_html === undefined) delete members.watermark_position;
  return { html, ...members, ...formatPdfParts(parts, options.owner_password !== '') };
}

/** Returns the four margins of one to four lengths: top, right, bottom, left, as in CSS. */
export function parseMargins(text: string): typeof MARGIN_DEFAULTS {
  const [top = '', right = top, bottom = top, left = right] = text.trim().split(/[\s,]+/);
  return { margin_top: top, margin_right: right, margin_bottom: bottom, margin_left: left };
}

const NO_TEXTS: PdfTexts = { html: '', css: '', header_html: '', footer_html: '' };

/** Counts the options that differ from the defaults and are not in the first row. */
export function countMoreOptions(options: PdfOptions): number {
  const shown = new Set(['html', 'page_size', 'orientation', 'print_background', 'tagged', 'outline']);
  const members = formatPdfMembers(NO_TEXTS, options);
  return Object.keys(members).filter((name) => !shown.has(name) && !name.startsWith('margin_')).length;
}
