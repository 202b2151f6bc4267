import { DEFAULT_MARGINS, SIDES, sheetOf } from '../request/page-geometry.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { findInsertionPoints } from './insertion-points.ts';

/** Spares Chromium the layout for the screen, before and after printing: 0.79–0.88 of the time of a document. */
const HIDE_SCREEN = '@media screen{html{display:none!important}}';

/**
 * The document as it is handed to the browser: without a byte order mark (which would print, and cause quirks mode) and
 * lone surrogates, with the base URL first, and last in its head the rules for the page and the caller's css.
 */
export function prepareDocument(request: PdfRequest, options: { hideScreen: boolean }): string {
  const html = (request.html.startsWith('\uFEFF') ? request.html.slice(1) : request.html).toWellFormed();
  const points = findInsertionPoints(html);
  const base =
    request.baseUrl !== null && !points.hasBase ? `<base href="${escapeAttribute(request.baseUrl)}">` : '';
  const first = `${base}<style>${options.hideScreen ? HIDE_SCREEN : ''}${defaultPageRule(request)}</style>`;
  const css = `${fixedPageRule(request)}${request.css ?? ''}`;
  const last = css === '' ? '' : `<style>${escapeStyle(css)}</style>`;
  return (
    html.slice(0, points.headStart) +
    first +
    html.slice(points.headStart, points.headEnd) +
    last +
    html.slice(points.headEnd)
  );
}

/** The margins that the request leaves out, as a rule that any @page rule of the document beats. As parameters they would be cut off to whole points. */
function defaultPageRule(request: PdfRequest): string {
  const sides = SIDES.filter((side) => request.margins[side] === null);
  return sides.length === 0
    ? ''
    : `@page{${sides.map((side) => `margin-${side}:${DEFAULT_MARGINS[side]}px`).join(';')}}`;
}

/** What the request fixes, as a rule that beats every @page rule of the document (named, :first and !important ones too). */
function fixedPageRule(request: PdfRequest): string {
  const declarations = SIDES.filter((side) => request.margins[side] !== null).map(
    (side) => `margin-${side}:${request.margins[side]}px!important`,
  );
  if (request.pageSize !== null || request.orientation !== null) {
    const sheet = sheetOf(request.pageSize ?? 'A4', request.orientation ?? 'portrait');
    declarations.push(`size:${sheet.width}px ${sheet.height}px!important`);
  }
  return declarations.length === 0 ? '' : `@page{${declarations.join(';')}}`;
}

/** Keeps a "</style" in css from ending the element: in CSS an escaped slash is a slash. */
function escapeStyle(css: string): string {
  return css.toWellFormed().replace(/<\/(?=style)/gi, '<\\/');
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
