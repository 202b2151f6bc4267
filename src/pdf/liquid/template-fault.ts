import type { ErrorCode } from '#errors';

/** A fault of a template, as it crosses threads. */
export interface TemplateFault {
  code: ErrorCode;
  message: string;
  /** The text with the fault: `header_html`. */
  param: string;
}

/** `invalid`: an error of the template's author. The others are limits that it exceeded. */
export type FaultKind = 'invalid' | 'memory' | 'time' | 'output';

/** The error of a template, thrown by filters and limits. `message` follows "Line 1, column 2 of html: ". */
export class TemplateError extends Error {
  override name = 'TemplateError';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
