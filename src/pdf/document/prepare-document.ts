import { DEFAULT_MARGINS, SIDES, sheetOf } from '../request/page-geometry.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { findInsertionPoints } from './insertion-points.ts';

/** Spares Chromium the layout for the screen, before and after printing: 0.79–0.88 of the time of a document. */
const HIDE_SCREEN = '@media screen{html{display:none!important}}';

/**
 * The document as it is handed to the browser: without a byte order mark (which would print, and cause quirks mode) and
 * lone surrogates, with the base URL and the rule for the page first in its head, and the caller's css last.
 */
export function prepareDocument(request: PdfRequest, options: { hideScreen: boolean }): string {
  const html = (request.html.startsWith('\uFEFF') ? request.html.slice(1) : request.html).toWellFormed();
  const points = findInsertionPoints(html);
  const base =
    request.baseUrl !== null && !points.hasBase ? `<base href="${escapeAttribute(request.baseUrl)}">` : '';
  const first = `${base}<style>${options.hideScreen ? HIDE_SCREEN : ''}${pageRule(request)}</style>`;
  const last = request.css === null || request.css === '' ? '' : `<style>${escapeStyle(request.css)}</style>`;
  return (
    html.slice(0, points.headStart) +
    first +
    html.slice(points.headStart, points.headEnd) +
    last +
    html.slice(points.headEnd)
  );
}

/**
 * The rule for the page. In the first layer of the cascade what is `!important`, as is what the request fixes, beats every @page rule of the
 * document and of its css, named, `:first` and `!important` ones too; and what is not, as are the defaults, yields to any.
 * As parameters of Page.printToPDF the margins would be cut off to whole points.
 */
function pageRule(request: PdfRequest): string {
  const declarations = SIDES.map((side) => {
    const margin = request.margins[side];
    return `margin-${side}:${margin === null ? `${DEFAULT_MARGINS[side]}px` : `${margin}px!important`}`;
  });
  if (request.pageSize !== null || request.orientation !== null) {
    const sheet = sheetOf(request.pageSize ?? 'A4', request.orientation ?? 'portrait');
    declarations.push(`size:${sheet.width}px ${sheet.height}px!important`);
  }
  return `@layer{@page{${declarations.join(';')}}}`;
}

/** Keeps a "</style" in css from ending the element: in CSS an escaped slash is a slash. */
function escapeStyle(css: string): string {
  return css.toWellFormed().replace(/<\/(?=style)/gi, '<\\/');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
