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

/** Formats the header and footer; null without either. Chromium prints its own if one of the two is left out, so both are always there. */
export function printTemplates(request: PdfRequest): PrintTemplates | null {
  if (request.headerHtml === null && request.footerHtml === null) return null;
  return {
    headerTemplate: wrap(request.headerHtml, request),
    footerTemplate: wrap(request.footerHtml, request),
  };
}

/** Chromium's own default is a serif of about 1 px from one edge of the sheet to the other, without colours. */
function wrap(html: string | null, request: PdfRequest): string {
  if (html === null) return '<span></span>';
  const left = request.margins.left ?? DEFAULT_MARGINS.left;
  const right = request.margins.right ?? DEFAULT_MARGINS.right;
  const style = `box-sizing:border-box;width:100%;padding:0 ${right}px 0 ${left}px;font:9pt Arial,sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact`;
  return `<div style="${style}">${balance(html.toWellFormed())}</div>`;
}

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Tags of a whole document, and what would swallow all that follows: they have no meaning inside a header. */
const DROPPED = new Set('html head body frameset frame plaintext'.split(' '));

/**
 * The template with `{{page}}` and `{{pages}}` as Chromium's own counters in text; in a tag or a style, where no number can stand, they go.
 * What the template opens is closed and what it has not opened is not, so that it stays inside of its wrapper.
 */
function balance(html: string): string {
  let result = '';
  const open: string[] = [];
  const opened = new Map<string, number>();
  for (const token of scanHtml(html)) {
    const source = html.slice(token.start, token.end);
    if (token.kind === 'comment' || token.kind === 'doctype' || DROPPED.has(token.name)) continue;
    if (token.kind === 'text') {
      // In a drawing a <span> would end the drawing.
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
