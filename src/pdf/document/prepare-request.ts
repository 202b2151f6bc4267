import type { PdfRequest } from '../pdf-request.ts';
import { prepareDocument } from './prepare-document.ts';
import { printTemplates, type PrintTemplates } from './print-templates.ts';
import { isStatic } from './static-gate.ts';

/** The lane of a request, and the texts that the browser gets. */
export interface PreparedRequest {
  lane: 'static' | 'fresh';
  html: string;
  /** Null if the request has neither a header nor a footer. */
  templates: PrintTemplates | null;
}

/** Characters that are prepared on the main thread: 15 ms at most, if a document is nothing but tags of the head. */
const MAX_INLINE_DOCUMENT = 256 * 1024;
/** These are balanced, which takes ten times as long. */
const MAX_INLINE_TEMPLATES = 16 * 1024;

/** Checks whether a request is too large to be prepared on the main thread. */
export function isLargeRequest({ html, css, headerHtml, footerHtml }: PdfRequest): boolean {
  return (
    html.length + (css?.length ?? 0) > MAX_INLINE_DOCUMENT ||
    (headerHtml?.length ?? 0) + (footerHtml?.length ?? 0) > MAX_INLINE_TEMPLATES
  );
}

/** Chooses the lane of a request and writes the texts for the browser, in time proportional to the length of the request. */
export function prepareRequest(request: PdfRequest): PreparedRequest {
  const lane = isStaticRequest(request) ? 'static' : 'fresh';
  return {
    lane,
    html: prepareDocument(request, { hideScreen: lane === 'static' }),
    templates: printTemplates(request),
  };
}

/** Scripts, resources and whatever depends on the screen need a page of their own. */
function isStaticRequest(request: PdfRequest): boolean {
  return (
    request.media === 'print' &&
    request.waitFor === null &&
    isStatic(request.html) &&
    (request.css === null || isStatic(request.css))
  );
}
