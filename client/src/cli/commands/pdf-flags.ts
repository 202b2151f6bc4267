/** The flags of `pdf`: one or more per member of its request. */
import type { PdfRequest } from '../../index.ts';
import type { Flag } from '../command.ts';
import {
  parsePermissions,
  readAttachments,
  readData,
  readDocuments,
  readInvoice,
  readPassword,
} from './pdf-files.ts';

/** A flag and the member of the request that it sets. `file` reads the value from a file. */
export interface PdfFlag extends Flag {
  member: keyof PdfRequest;
  /** The value of a flag that turns off what is on by default. */
  isNegated?: boolean;
  /** Makes the value of the member, or a part of it, of the value or the values of the flag. */
  parse?: (values: readonly string[], stdin: NodeJS.ReadableStream) => unknown;
}

const toMember = (name: string): keyof PdfRequest => name.replaceAll('-', '_') as keyof PdfRequest;
const length = (name: string, summary: string): PdfFlag => ({
  name,
  type: 'text',
  placeholder: 'length',
  summary,
  member: toMember(name),
});
const file = (name: string, summary: string, member: keyof PdfRequest = toMember(name)): PdfFlag => ({
  ...length(name, summary),
  type: 'file',
  placeholder: 'file',
  member,
});
const text = (name: string, placeholder: string, summary: string): PdfFlag => ({
  ...length(name, summary),
  placeholder,
});
const toggle = (name: string, summary: string): PdfFlag => ({
  name,
  type: 'boolean',
  summary,
  member: name as keyof PdfRequest,
});

export const PDF_FLAGS: readonly PdfFlag[] = [
  file('header', 'HTML of the page header', 'header_html'),
  file('footer', 'HTML of the page footer: {{page}}, {{pages}}', 'footer_html'),
  file('first-header', 'HTML of the header of the first page', 'first_header_html'),
  file('first-footer', 'HTML of the footer of the first page', 'first_footer_html'),
  file('watermark', 'HTML on the whole sheet of every page', 'watermark_html'),
  { ...text('watermark-position', 'place', 'behind (by default) or over'), values: ['behind', 'over'] },
  file('css', 'Additional CSS'),
  {
    ...file('more', 'HTML of one more document in the PDF; repeatable', 'more_documents'),
    isRepeatable: true,
    parse: readDocuments,
  },
  { ...text('template', 'language', 'Fill the HTML with --data: liquid'), values: ['liquid'] },
  { ...file('data', 'JSON object that fills the templates'), parse: readData },
  { ...text('page-size', 'size', 'The sheet, A4 by default'), values: ['A4', 'Letter', 'Legal', 'A3', 'A5'] },
  length('page-width', 'Width of a sheet of another size, such as 80mm'),
  length('page-height', 'Height of a sheet of another size'),
  { ...text('orientation', 'name', 'portrait or landscape'), values: ['portrait', 'landscape'] },
  length('margin-top', 'Top margin, 20mm by default'),
  length('margin-bottom', 'Bottom margin, 20mm by default'),
  length('margin-left', 'Left margin, 15mm by default'),
  length('margin-right', 'Right margin, 15mm by default'),
  { ...text('scale', 'factor', 'Scale of the content: 0.1 to 2'), type: 'number' },
  text('page-ranges', 'ranges', 'Pages to print, such as 1-3,5'),
  { ...toggle('no-background', 'Print no backgrounds'), member: 'print_background', isNegated: true },
  { ...text('media', 'type', 'The CSS media type, print by default'), values: ['print', 'screen'] },
  text('base-url', 'url', 'Resolve relative links against this URL'),
  { ...toggle('no-javascript', 'Run no scripts'), member: 'javascript', isNegated: true },
  text('wait-for', 'selector|ms', 'Wait for an element, or for milliseconds'),
  text('wait-for-expression', 'js', 'Wait until this expression is truthy'),
  text('now', 'time', 'The time of the document, such as 2026-11-23T09:30:00Z'),
  text('lang', 'tag', 'The language of the PDF, such as pt-BR'),
  text('title', 'text', 'The title of the PDF'),
  text('author', 'text', 'The author of the PDF'),
  text('subject', 'text', 'The subject of the PDF'),
  text('keywords', 'list', 'Keywords of the PDF, with commas between them'),
  {
    ...file('attach', 'A file inside the PDF; repeatable', 'attachments'),
    isRepeatable: true,
    parse: readAttachments,
  },
  { ...file('password-file', 'File with the password that opens the PDF', 'password'), parse: readPassword },
  {
    ...file('owner-password-file', 'File with the password that lifts --permissions', 'owner_password'),
    parse: readPassword,
  },
  {
    ...text('permissions', 'list', 'What is allowed, such as print,copy; none for nothing'),
    parse: parsePermissions,
  },
  { ...text('pdfa', 'level', 'Conform to PDF/A for archives: 3b'), values: ['3b'] },
  { ...file('facturx', 'XML of the electronic invoice to attach'), parse: readInvoice },
  {
    ...text('facturx-profile', 'name', 'The profile of the invoice, such as EN16931'),
    member: 'facturx',
    parse: ([profile]) => ({ profile }),
  },
  text('filename', 'name', 'The file name in the response'),
  toggle('tagged', 'Tag the PDF for accessibility'),
  toggle('outline', 'Make bookmarks of the headings'),
  toggle('strict', 'Fail on warnings, such as an image that did not load'),
];
