import { HEAD_ELEMENTS, escapeAttribute, escapeText, scanHtml } from '#html';
import { SIDES } from '../page-geometry.ts';
import { DEFAULT_MARGINS } from '../request/document-members.ts';
import type { PdfRequest } from '../pdf-request.ts';

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
  const last = formatMetadata(request) + formatStyle(request.css);
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

function formatStyle(css: string | null): string {
  return css === null || css === '' ? '' : `<style>${escapeStyle(css)}</style>`;
}

/** Escapes `</style`, which would end the element: in CSS an escaped slash is a slash. */
function escapeStyle(css: string): string {
  return css.toWellFormed().replace(/<\/(?=style)/gi, '<\\/');
}

/**
 * Offsets at which elements can be inserted into an HTML source without changing how the rest is parsed.
 */
interface InsertionPoints {
  /** The beginning of the head: after the doctype and what precedes it. */
  headStart: number;
  /** The end of the head: before `</head>`, or before what ends the head implicitly. */
  headEnd: number;
  /** True if the head contains a `<base>` element. */
  hasBase: boolean;
}

const CONTAINERS = new Set(['noscript', 'template']);

/** Finds the beginning and the end of the head, which may be implied. Scans no further than its end. */
function findInsertionPoints(html: string): InsertionPoints {
  const points: InsertionPoints = { headStart: 0, headEnd: 0, hasBase: false };
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
