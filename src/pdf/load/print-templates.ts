import { OpenElements, VOID_ELEMENTS, escapeText, formatEndTags, scanHtml } from '#html';
import { DEFAULT_MARGINS } from '../request/sheet-members.ts';
import type { PdfRequest } from '../pdf-request.ts';

/** The header and footer of Page.printToPDF. */
export interface PrintTemplates {
  headerTemplate: string;
  footerTemplate: string;
}

/**
 * Formats the header and footer; null if the request has neither. Chromium prints its own for one that is
 * missing.
 */
export function toPrintTemplates(request: PdfRequest): PrintTemplates | null {
  if (request.headerHtml === null && request.footerHtml === null) return null;
  return {
    headerTemplate: wrap(request.headerHtml, request),
    footerTemplate: wrap(request.footerHtml, request),
  };
}

function wrap(html: string | null, request: PdfRequest): string {
  if (html === null) return '<span></span>';
  const left = request.margins.left ?? DEFAULT_MARGINS.left;
  const right = request.margins.right ?? DEFAULT_MARGINS.right;
  return wrapTemplate(fillTemplate(html, request), { left, right });
}

/** Balances a template and replaces its placeholders: counters by elements, the others by their values. */
export function fillTemplate(html: string, values: TemplateValues): string {
  return balanceTemplate(html.toWellFormed(), (source, place) => fillPlaceholders(source, place, values));
}

/**
 * Sets font, side margins and colors: Chromium's default is a serif of about 1 px across the whole sheet,
 * without colors. Lengths are CSS pixels.
 */
export function wrapTemplate(content: string, { left, right }: { left: number; right: number }): string {
  const style = `box-sizing:border-box;width:100%;padding:0 ${right}px 0 ${left}px;font:9pt Arial,sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact`;
  return `<div style="${style}">${content}</div>`;
}

const PLACEHOLDER = /\{\{\s*(pages?|title|date)\s*\}\}/g;

/** The classes of elements that Chromium fills in. */
const CLASSES = { page: 'pageNumber', pages: 'totalPages', title: 'title' } as const;

/** The values of placeholders. Null: the document's. */
export interface TemplateValues {
  title: string | null;
  date: string | null;
}

/**
 * Replaces the placeholders of a template in text: the page counters and the document's title by elements
 * that Chromium fills in, the others by their values. Removes them from tags and styles.
 */
function fillPlaceholders(source: string, place: TemplatePlace, values: TemplateValues): string {
  if (place === 'markup') return source.replace(PLACEHOLDER, '');
  // A <span> would end the SVG element.
  const tag = place === 'svg' ? 'tspan' : 'span';
  return source.replace(PLACEHOLDER, (_all, name: keyof typeof CLASSES | 'date') => {
    const value = name === 'date' ? (values.date ?? '') : name === 'title' ? values.title : null;
    if (value !== null) return escapeText(value);
    return `<${tag} class="${CLASSES[name as keyof typeof CLASSES]}"></${tag}>`;
  });
}

/** The place of a piece of a template: text of HTML, text of SVG, or a tag or style. */
type TemplatePlace = 'html' | 'svg' | 'markup';

/** Tags of a whole document or about it, and one that turns all that follows into text. */
const DROPPED = new Set('html head body frameset frame meta base plaintext'.split(' '));

/**
 * Closes the elements that a template leaves open and drops end tags without a start tag, so that it stays
 * inside its wrapper. `transform` returns the replacement of each piece.
 */
function balanceTemplate(html: string, transform: (source: string, place: TemplatePlace) => string): string {
  let result = '';
  const open = new OpenElements<{ name: string }>();
  const isInSvg = (): boolean => open.count('svg') > open.count('foreignobject');
  for (const { kind, name, start, end } of scanHtml(html)) {
    const source = html.slice(start, end);
    if (kind === 'comment' || kind === 'doctype' || DROPPED.has(name)) continue;
    if (kind === 'text') {
      result += transform(source, isInSvg() ? 'svg' : 'html');
      continue;
    }
    // A tag that the end of the template cuts off.
    if (kind !== 'raw' && !source.endsWith('>')) continue;
    if (kind === 'end' && open.close(name) === null) continue;
    if (kind === 'start' && !VOID_ELEMENTS.has(name) && !source.endsWith('/>')) open.open({ name });
    result += transform(source, 'markup');
  }
  return result + formatEndTags(open.closeTo(0));
}
