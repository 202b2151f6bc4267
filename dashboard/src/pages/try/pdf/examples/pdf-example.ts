/** The form of the example documents. */
import type { PdfValues } from '../pdf-options.ts';

/** One example: its name, its texts, and the options that differ from the defaults. */
export interface PdfExample {
  name: string;
  texts: Readonly<Record<string, string>>;
  options: PdfValues;
}
