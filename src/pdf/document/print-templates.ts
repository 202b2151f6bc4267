import { DEFAULT_MARGINS } from '../request/page-geometry.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { scanHtml } from './scan-html.ts';

const PLACEHOLDER = /\{\{\s*(pages?)\s*\}\}/g;
const COUNTERS: Record<string, string> = { page: 'pageNumber', pages: 'totalPages' };

/** The header and footer of Page.printToPDF. */
export interface PrintTemplates {
  headerTemplate: string;
  footerTemplate: string;
}

/** Formats the header and footer; null without either. If one were left out, Chromium would print its own. */
export function toPrintTemplates(request: PdfRequest): PrintTemplates | null {
  if (request.headerHtml === null && request.footerHtml === null) return null;
  return {
    headerTemplate: wrap(request.headerHtml, request),
    footerTemplate: wrap(request.footerHtml, request),
  };
}

/**
 * Sets font, side margins and colors: Chromium's default is a serif of about 1 px across the whole sheet,
 * without colors.
 */
function wrap(html: string | null, request: PdfRequest): string {
  if (html === null) return '<span></span>';
  const left = request.margins.left ?? DEFAULT_MARGINS.left;
  const right = request.margins.right ?? DEFAULT_MARGINS.right;
  const style = `box-sizing:border-box;width:100%;padding:0 ${right}px 0 ${left}px;font:9pt Arial,sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact`;
  return `<div style="${style}">${balance(html.toWellFormed())}</div>`;
}

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Tags of a whole document, and one that turns all that follows into text. */
const DROPPED = new Set('html head body frameset frame plaintext'.split(' '));

/**
 * Replaces `{{page}}` and `{{pages}}` in text with Chromium's counters, and removes them from tags and
 * styles. Closes the elements that the template leaves open and drops end tags without a start tag, so that
 * it stays inside its wrapper.
 */
function balance(html: string): string {
  let result = '';
  const open: string[] = [];
  const opened = new Map<string, number>();
  for (const token of scanHtml(html)) {
    const source = html.slice(token.start, token.end);
    if (token.kind === 'comment' || token.kind === 'doctype' || DROPPED.has(token.name)) continue;
    if (token.kind === 'text') {
      // A <span> would end the SVG element.
      const tag = (opened.get('svg') ?? 0) > (opened.get('foreignobject') ?? 0) ? 'tspan' : 'span';
      result += source.replace(
        PLACEHOLDER,
        (_all, name: string) => `<${tag} class="${COUNTERS[name]}"></${tag}>`,
      );
      continue;
    }
    if (token.kind !== 'raw' && !source.endsWith('>')) continue;
    if (token.kind === 'end') {
      if ((opened.get(token.name) ?? 0) === 0) continue;
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        opened.set(last, (opened.get(last) ?? 1) - 1);
        if (last === token.name) break;
      }
    }
    if (token.kind === 'start' && !VOID.has(token.name) && !source.endsWith('/>')) {
      open.push(token.name);
      opened.set(token.name, (opened.get(token.name) ?? 0) + 1);
    }
    result += source.replace(PLACEHOLDER, '');
  }
  return (
    result +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
  );
}
