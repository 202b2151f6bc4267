import type { ErrorCode } from '#errors';

/** A fault of a template, as it crosses threads. */
export interface TemplateFault {
  code: ErrorCode;
  message: string;
  /** The text with the fault: `header_html`. */
  param: string;
}

/** The error of a template, thrown by filters and limits. `message` follows "Line 1, column 2 of html: ". */
export class TemplateError extends Error {
  override name = 'TemplateError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The longest time that the templates of a request may take in their thread. */
export const MAX_FILL_MS = 1_000;

/** The time after which the engine stops by itself and names the place. A single step is not interrupted. */
export const MAX_RENDER_MS = 950;

/** Tags and outputs in all templates of a request: their parser spends 3 µs for each. */
export const MAX_TAGS = 50_000;

/** Characters of all these, marks included: the parser spends up to 0.6 µs for each. */
export const MAX_TAG_CHARACTERS = 500_000;

/** The heap of the thread, and the part of it for new objects, in MiB. */
export const HEAP_MB = 64;
export const YOUNG_HEAP_MB = 16;

/** UTF-8 bytes of all documents of a request, and of each other text, after their templates are filled. */
export const MAX_DOCUMENT_BYTES = 5_242_880;
export const MAX_TEXT_BYTES = 524_288;

/**
 * V8 ends the whole process, not the thread, if one step of native code allocates far more than the heap has
 * left. So the values that templates make are bounded before V8 sees them.
 */
export const MAX_VALUE = {
  /** Characters of a text that a filter takes or makes. */
  characters: 1_048_576,
  /** Elements of a list. */
  elements: 100_000,
  /** Characters of all texts in a list, at every depth; other values count as 8. */
  weight: 4_194_304,
} as const;
