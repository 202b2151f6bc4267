/**
 * The most characters (UTF-16 code units) that each text of a request may have, besides those that are
 * limited in bytes. The schema of the route states the same figures.
 */
export const MAX_CHARACTERS = {
  author: 1_000,
  base_url: 4_096,
  filename: 200,
  lang: 100,
  page_ranges: 1_000,
  subject: 1_000,
  title: 1_000,
  wait_for: 1_000,
  wait_for_expression: 10_000,
} as const;

/** The longest time that `wait_for` may name. */
export const MAX_WAIT_MS = 10_000;

/** UTF-8 bytes of all documents of a request together. */
export const MAX_HTML_BYTES = 5_242_880;
/** UTF-8 bytes of the style sheet, the watermark, and each header and footer. */
export const MAX_TEXT_BYTES = 524_288;
/** UTF-8 bytes of the XML of an invoice. */
export const MAX_INVOICE_BYTES = 5_242_880;

/** Documents after the first. */
export const MAX_MORE_DOCUMENTS = 19;

export const MAX_ATTACHMENTS = 20;
/** Bytes of all attached files together. */
export const MAX_ATTACHED_BYTES = 20 * 1024 * 1024;
export const MAX_ATTACHMENT_CHARACTERS = { name: 200, description: 1_000 } as const;

export const MAX_KEYWORDS = 100;
export const MAX_KEYWORD_CHARACTERS = 1_000;
/** Characters of all keywords together. */
export const MAX_KEYWORDS_CHARACTERS = 4_000;

/** UTF-8 bytes of a password (ISO 32000-2 §7.6.4.3.3). */
export const MAX_PASSWORD_BYTES = 127;
