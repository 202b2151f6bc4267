import type { PdfRequest } from '../pdf-request.ts';
import { type PreparedDocument, prepareDocument } from './prepare-document.ts';
import {
  type PrintTemplates,
  type TemplateValues,
  fillTemplate,
  toPrintTemplates,
} from './print-templates.ts';
import { type ScannedDocument, findHanLanguages, scanDocument, scanTemplate } from './scan-document.ts';
import type { LayerTemplates } from '../layers/layer-input.ts';

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
  /** Null if the request has neither a header nor a footer. */
  templates: PrintTemplates | null;
  /** The resources of the header and the footer, and their effects on a page. */
  scannedTemplates: { header: ScannedDocument; footer: ScannedDocument };
}

/** Characters that are prepared on the main thread: at most 30 ms, for a document of images only. */
const MAX_INLINE_DOCUMENT = 256 * 1024;
/** Templates are balanced, which takes ten times as long. */
const MAX_INLINE_TEMPLATES = 16 * 1024;

/** Checks whether a request is too large to be prepared on the main thread. */
export function isLargeRequest({ html, css, headerHtml, footerHtml }: PdfRequest): boolean {
  return (
    html.length + (css?.length ?? 0) > MAX_INLINE_DOCUMENT ||
    (headerHtml?.length ?? 0) + (footerHtml?.length ?? 0) > MAX_INLINE_TEMPLATES
  );
}

/** Formats and scans the texts for the browser, in time proportional to the length of the request. */
export function prepareRequest(request: PdfRequest): PreparedRequest {
  const document = prepareDocument(request);
  const templates = toPrintTemplates(request);
  return {
    ...document,
    scanned: mayBeStatic(request) ? scanDocument(document.html, request) : null,
    hanLanguages: findHanLanguages(document.html),
    url: chooseUrl(request),
    baseUrl: request.baseUrl,
    templates,
    scannedTemplates: templates === null ? NO_TEMPLATES : scanTemplates(templates),
  };
}

function scanTemplates({
  headerTemplate,
  footerTemplate,
}: PrintTemplates): PreparedRequest['scannedTemplates'] {
  return { header: scanTemplate(headerTemplate), footer: scanTemplate(footerTemplate) };
}

const NO_TEMPLATES = scanTemplates({ headerTemplate: '', footerTemplate: '' });

/** A frame of a page over http. No pattern may look far ahead, as a client chooses the text. */
const HTTP_FRAME = /<i?frame\b[^<>]{0,2000}?\bsrc\s*=\s*["']?http:/i;

/**
 * Chooses the document's URL. A browser loads no frame over http into a document over https, so a document
 * with such a frame gets the URL over http. Its base URL stays.
 */
function chooseUrl({ baseUrl, html }: PdfRequest): string | null {
  return baseUrl !== null && HTTP_FRAME.test(html) ? baseUrl.replace(/^https:/, 'http:') : baseUrl;
}

/** Checks whether a document can be printed without a layout for the screen, and as soon as it is loaded. */
function mayBeStatic({ media, waitFor, waitForExpression }: PdfRequest): boolean {
  return media === 'print' && waitFor === null && waitForExpression === null;
}

export type LayerName = keyof LayerTemplates;

/** The templates of layers as they were sent, and the values of their placeholders. */
export type LayerSources = TemplateValues & { templates: LayerTemplates };

/** A template whose placeholders are filled, with its resources. */
export interface PreparedLayer {
  name: LayerName;
  html: string;
  scanned: ScannedDocument;
}

/** Templates are balanced, which takes ten times as long as a document. */
const MAX_INLINE_CHARACTERS = 16 * 1024;

/** Checks whether templates are too large to be prepared on the main thread. */
export function areLargeLayers({ templates }: LayerSources): boolean {
  const length = Object.values(templates).reduce<number>(
    (sum, html: string | null) => sum + (html?.length ?? 0),
    0,
  );
  return length > MAX_INLINE_CHARACTERS;
}

/** Balances and scans the templates of layers, in time proportional to their length. */
export function prepareLayers({ templates, ...values }: LayerSources): PreparedLayer[] {
  return (Object.keys(templates) as LayerName[]).flatMap((name) => {
    const source = templates[name];
    if (source === null) return [];
    const html = fillTemplate(source, values);
    return [{ name, html, scanned: scanTemplate(html) }];
  });
}
