import { HEAD_ELEMENTS, escapeAttribute, escapeText, scanHtml } from '#html';
import { SIDES } from '../page-geometry.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { DEFAULT_MARGINS } from '../request/document-members.ts';
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
  const { baseUrl } = request;
  const document = prepareDocument(request);
  const hanLanguages = findHanLanguages(document.html);
  // A document that needs a layout for the screen, or is printed later than it is loaded.
  const needsWarmLane =
    request.media !== 'print' || request.waitFor !== null || request.waitForExpression !== null;
  const mayBeStatic = hanLanguages !== null && hanLanguages.length <= 1 && !needsWarmLane;
  return {
    ...document,
    scanned: mayBeStatic ? scanDocument(document.html, request) : null,
    hanLanguages,
    // A browser loads no frame over http into a document over https. The base URL stays.
    url: baseUrl !== null && HTTP_FRAME.test(request.html) ? baseUrl.replace(/^https:/, 'http:') : baseUrl,
    baseUrl,
    templates: prepareTemplates(request),
  };
}

/** A frame of a page over http. No pattern may look far ahead, as a client chooses the text. */
const HTTP_FRAME = /<i?frame\b[^<>]{0,2000}?\bsrc\s*=\s*["']?http:/i;

const HIDE_SCREEN = '@media screen{html{display:none!important}}';

/** A document for the browser. */
export interface PreparedDocument {
  html: string;
  /** The offset at which elements can be inserted. No resource precedes it: inlining does not move it. */
  headStart: number;
  /** The offset of the @page rule, at which rules can be inserted. */
  styleStart: number;
}

/**
 * Returns a prepared document for the static lane: without its layout for the screen, which saves Chromium
 * 12 to 21 % of the time. Without a base URL, a document with links gets one against which relative links
 * cannot be resolved, as Chromium would print links to the URL of the page. Fragments still can. (In the
 * warm lane it would keep scripts from using relative URLs, so there it is set before printing.)
 */
export function toStaticHtml(
  { html, headStart, styleStart }: PreparedDocument,
  { hasBase }: { hasBase: boolean },
): string {
  const base = hasBase || !/href/i.test(html) ? '' : '<base href="about:blank">';
  return (
    html.slice(0, headStart) + base + html.slice(headStart, styleStart) + HIDE_SCREEN + html.slice(styleStart)
  );
}

/**
 * Lets a prepared document load fonts, which it need not use: a font that the renderer has in memory is
 * available immediately where a header or footer with the same data: URL is printed.
 */
export function preloadFonts(
  { html, headStart }: Pick<PreparedDocument, 'html' | 'headStart'>,
  dataUrls: readonly string[],
): string {
  const links = dataUrls.map(
    (url) => `<link rel=preload as=font crossorigin href="${escapeAttribute(url)}">`,
  );
  return html.slice(0, headStart) + links.join('') + html.slice(headStart);
}

/**
 * Returns the document for the browser: without a byte order mark (which would print, and cause quirks mode)
 * and lone surrogates, with the base URL and the @page rule first in its head, and the metadata and css of
 * the request last.
 */
export function prepareDocument(request: PdfRequest): PreparedDocument {
  const html = (request.html.startsWith('\uFEFF') ? request.html.slice(1) : request.html).toWellFormed();
  const { headStart, headEnd, hasBase } = findInsertionPoints(html);
  const base =
    request.baseUrl !== null && !hasBase ? `<base href="${escapeAttribute(request.baseUrl)}">` : '';
  const start = `${base}<style>`;
  const first = `${start}${formatPageRule(request)}</style>`;
  // In CSS an escaped slash is a slash, and ends no element.
  const css = request.css?.toWellFormed().replace(/<\/(?=style)/gi, '<\\/') ?? '';
  const last = formatMetadata(request) + (css === '' ? '' : `<style>${css}</style>`);
  return {
    html: html.slice(0, headStart) + first + html.slice(headStart, headEnd) + last + html.slice(headEnd),
    headStart,
    styleStart: headStart + start.length,
  };
}

/**
 * Formats the @page rule. It is in the first layer of the cascade. There, `!important` declarations (values
 * of the request) override every @page rule of the document and of its css, also named, `:first` and
 * `!important` ones; other declarations (defaults) yield to any. As parameters of Page.printToPDF, margins
 * would be truncated to whole points.
 */
function formatPageRule(request: PdfRequest): string {
  const declarations = SIDES.map((side) => {
    const margin = request.margins[side];
    return `margin-${side}:${margin === null ? `${DEFAULT_MARGINS[side]}px` : `${margin}px!important`}`;
  });
  if (request.sheet !== null)
    declarations.push(`size:${request.sheet.width}px ${request.sheet.height}px!important`);
  return `@layer{@page{${declarations.join(';')}}}`;
}

/** A language that a document has without an attribute of its root. */
const DECLARED_LANGUAGE = /<meta\b[^<>]{0,200}content-language/i;

/**
 * Formats the language and title, which apply if the document has none: the parser merges a second `<html>`
 * into the first, whose attributes take precedence, and the title of a document is its first `<title>`. If
 * the language is not known, the root says so, as Chromium would write its own into a tagged PDF.
 */
function formatMetadata({ html, language, title, tagged, outline }: PdfRequest): string {
  const isUnknown = language === null && (tagged || outline) && !DECLARED_LANGUAGE.test(html);
  const root = language === null && !isUnknown ? '' : `<html lang="${escapeAttribute(language ?? '')}">`;
  return title === null ? root : `${root}<title>${escapeText(title)}</title>`;
}

const CONTAINERS = new Set(['noscript', 'template']);

/**
 * Finds the beginning of the head, after the doctype and what precedes it, and its end, which may be implied:
 * there, elements can be inserted without changing how the rest is parsed. Scans no further. `hasBase`: the
 * head has a base element.
 */
function findInsertionPoints(html: string): { headStart: number; headEnd: number; hasBase: boolean } {
  const points = { headStart: 0, headEnd: 0, hasBase: false };
  let depth = 0;
  let isBeforeHtml = true;
  for (const token of scanHtml(html)) {
    if (token.kind === 'doctype') {
      if (isBeforeHtml) points.headStart = token.end;
    } else if (token.kind === 'text' && depth === 0) {
      if (/[^\t\n\f\r ]/.test(html.slice(token.start, token.end))) return points;
    } else if (token.kind === 'start') {
      isBeforeHtml = false;
      if (depth === 0 && !HEAD_ELEMENTS.has(token.name)) return points;
      if (CONTAINERS.has(token.name)) depth += 1;
      if (token.name === 'base' && depth === 0) points.hasBase = true;
    } else if (token.kind === 'end') {
      if (depth === 0 && ['head', 'body', 'html', 'br'].includes(token.name)) return points;
      if (CONTAINERS.has(token.name)) depth = Math.max(0, depth - 1);
    }
    points.headEnd = token.end;
  }
  return points;
}
