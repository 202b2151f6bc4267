import type { PdfRequest } from '../pdf-request.ts';
import { type PreparedDocument, prepareDocument } from './prepare-document.ts';
import { type PreparedTemplate, areLargeTemplates, prepareTemplates } from './print-templates.ts';
import { type ScannedDocument, findHanLanguages, scanDocument } from './scan-document.ts';

/** The texts of a request for the browser. */
export interface PreparedRequest extends PreparedDocument {
  /** The resources of the document; null if it needs a page of its own (the warm lane). */
  scanned: ScannedDocument | null;
  /** As findHanLanguages returns them. */
  hanLanguages: readonly string[] | null;
  /** The document's URL; null for one of its own. */
  url: string | null;
  /** The base of relative URLs in the header and footer. */
  baseUrl: string | null;
  templates: PreparedTemplate[];
}

/** Characters that are prepared on the main thread: at most 30 ms, for a document of images only. */
const MAX_INLINE_DOCUMENT = 256 * 1024;

/** Checks whether a request is too large to be prepared on the main thread. */
export function isLargeRequest(request: PdfRequest): boolean {
  const { html, css } = request;
  return html.length + (css?.length ?? 0) > MAX_INLINE_DOCUMENT || areLargeTemplates(request);
}

/** Formats and scans the texts for the browser, in time proportional to the length of the request. */
export function prepareRequest(request: PdfRequest): PreparedRequest {
  const document = prepareDocument(request);
  const hanLanguages = findHanLanguages(document.html);
  const mayBeStatic = hanLanguages !== null && hanLanguages.length <= 1 && !needsWarmLane(request);
  return {
    ...document,
    scanned: mayBeStatic ? scanDocument(document.html, request) : null,
    hanLanguages,
    url: chooseUrl(request),
    baseUrl: request.baseUrl,
    templates: prepareTemplates(request),
  };
}

/** A frame of a page over http. No pattern may look far ahead, as a client chooses the text. */
const HTTP_FRAME = /<i?frame\b[^<>]{0,2000}?\bsrc\s*=\s*["']?http:/i;

/**
 * Chooses the document's URL. A browser loads no frame over http into a document over https, so a document
 * with such a frame gets the URL over http. Its base URL stays.
 */
function chooseUrl({ baseUrl, html }: PdfRequest): string | null {
  return baseUrl !== null && HTTP_FRAME.test(html) ? baseUrl.replace(/^https:/, 'http:') : baseUrl;
}

/** Checks whether a document needs a layout for the screen, or is printed later than it is loaded. */
function needsWarmLane({ media, waitFor, waitForExpression }: PdfRequest): boolean {
  return media !== 'print' || waitFor !== null || waitForExpression !== null;
}
