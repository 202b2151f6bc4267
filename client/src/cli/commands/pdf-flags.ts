/** The flags of `pdf`: one per member of its request. */
import type { PdfRequest } from '../../index.ts';
import type { Flag } from '../command.ts';

/** A flag and the member of the request that it sets. `file` reads the value from a file. */
export interface PdfFlag extends Flag {
  member: keyof PdfRequest;
  /** The value of a flag that turns off what is on by default. */
  isNegated?: boolean;
}

const length = (name: string, summary: string): PdfFlag => ({
  name,
  type: 'text',
  placeholder: 'length',
  summary,
  member: name.replaceAll('-', '_') as keyof PdfRequest,
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
  { ...text('header', 'file', 'HTML of the page header'), type: 'file', member: 'header_html' },
  {
    ...text('footer', 'file', 'HTML of the page footer: {{page}}, {{pages}}'),
    type: 'file',
    member: 'footer_html',
  },
  { ...text('css', 'file', 'Additional CSS'), type: 'file' },
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
  text('filename', 'name', 'The file name in the response'),
  toggle('tagged', 'Tag the PDF for accessibility'),
  toggle('outline', 'Make bookmarks of the headings'),
  toggle('strict', 'Fail on warnings, such as an image that did not load'),
];
