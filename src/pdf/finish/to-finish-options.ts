import type { PdfRequest } from '../pdf-request.ts';
import type { FinishOptions } from './finish-input.ts';

/** Returns what finishing needs of a request: its documents and data do not cross threads once more. */
export function toFinishOptions(request: PdfRequest): FinishOptions {
  const { author, subject, keywords, attachments, encryption, pdfa, invoice } = request;
  const { tagged, outline, title, language, filename, now } = request;
  return {
    author,
    subject,
    keywords,
    attachments,
    encryption,
    pdfa,
    invoice,
    tagged,
    outline,
    title,
    language,
    fallbackTitle: filename.replace(/\.pdf$/i, ''),
    now,
  };
}
