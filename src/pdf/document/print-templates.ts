import { DEFAULT_MARGINS } from '../request/page-geometry.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { balanceTemplate } from './balance-template.ts';
import { fillPlaceholders, type TemplateValues } from './fill-placeholders.ts';

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
