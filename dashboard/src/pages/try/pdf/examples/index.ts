/** Example documents. Each shows something else: a table, pages, a sheet of another size, a letterhead. */
import { CERTIFICATE } from './certificate.ts';
import { INVOICE } from './invoice.ts';
import { LABEL } from './label.ts';
import { LETTER } from './letter.ts';
import type { PdfExample } from './pdf-example.ts';
import { REPORT } from './report.ts';

/** A document without contents. */
export const EMPTY_EXAMPLE: PdfExample = {
  name: 'Empty',
  texts: { html: '', css: '', header_html: '', footer_html: '' },
  options: {},
};

/** All examples. The page starts with the first one. */
export const PDF_EXAMPLES: readonly PdfExample[] = [
  INVOICE,
  REPORT,
  LETTER,
  CERTIFICATE,
  LABEL,
  EMPTY_EXAMPLE,
];
