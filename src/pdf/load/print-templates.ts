import { OpenElements, VOID_ELEMENTS, escapeText, formatEndTags, scanHtml } from '#html';
import type { PdfRequest } from '../pdf-request.ts';
import type { Side } from '../page-geometry.ts';
import { scanTemplate, type ScannedDocument } from './scan-document.ts';

/** The HTML on the pages besides the documents, by its place. `first…` replace those of the first page. */
type TemplateName = 'header' | 'footer' | 'firstHeader' | 'firstFooter' | 'watermark';

/** Templates that are filled, without wrappers. One that is missing was not sent. */
export type Templates = Partial<Record<TemplateName, string | undefined>>;

/** The values of placeholders. */
type TemplateValues = Pick<PdfRequest, 'title' | 'date'>;

/** A template whose placeholders are filled, with its resources. */
export interface PreparedTemplate {
  name: TemplateName;
  /** The member of the request. */
  param: string;
  html: string;
  scanned: ScannedDocument;
  /** The language that selects its fonts for Han characters; null without one. */
  hanLanguage: string | null;
}

function listTemplates(request: PdfRequest): { name: TemplateName; param: string; source: string }[] {
  const { headerHtml, footerHtml, firstHeaderHtml, firstFooterHtml, watermark } = request;
  const all = [
    { name: 'header', param: 'header_html', source: headerHtml },
    { name: 'footer', param: 'footer_html', source: footerHtml },
    { name: 'firstHeader', param: 'first_header_html', source: firstHeaderHtml },
    { name: 'firstFooter', param: 'first_footer_html', source: firstFooterHtml },
    { name: 'watermark', param: 'watermark_html', source: watermark?.html ?? null },
  ] as const;
  return all.flatMap(({ source, ...one }) => (source === null ? [] : [{ ...one, source }]));
}

/** Templates are balanced, which takes ten times as long as a document. */
const MAX_CHARACTERS = 16 * 1024;

/** Checks whether templates are too large to be prepared on the main thread. */
export function areLargeTemplates(request: PdfRequest): boolean {
  return listTemplates(request).reduce((sum, { source }) => sum + source.length, 0) > MAX_CHARACTERS;
}

/** Fills and scans templates, in time proportional to their length. */
export function prepareTemplates(request: PdfRequest): PreparedTemplate[] {
  return listTemplates(request).map(({ name, param, source }) => {
    const html = fillTemplate(source, request);
    return { name, param, html, ...scanTemplate(html) };
  });
}

/** The styles of Chromium's page for headers and footers (print_header_footer_template_page.html). */
export const TEMPLATE_STYLES =
  '#header,#footer{display:flex;flex:none}#header{align-items:flex-start;padding-top:15pt}#footer{align-items:flex-end;padding-bottom:15pt}#content{flex:auto}';

/** Formats the header and footer of Page.printToPDF, which prints its own for one that is missing. */
export function toPrintTemplates(
  { header, footer }: Templates,
  margins: Readonly<Record<Side, number>>,
): { headerTemplate: string; footerTemplate: string } {
  const wrap = (html: string | undefined): string =>
    html === undefined ? '<span></span>' : wrapTemplate(html, margins);
  return { headerTemplate: wrap(header), footerTemplate: wrap(footer) };
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

/** Tags of a whole document or about it, and one that turns all that follows into text. */
const DROPPED = new Set('html head body frameset frame meta base plaintext'.split(' '));

/**
 * Replaces the placeholders of a template in text, and removes them from tags and styles. Closes the elements
 * that it leaves open and drops end tags without a start tag, so that it stays inside its wrapper.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const html = template.toWellFormed();
  let result = '';
  const open = new OpenElements<{ name: string }>();
  for (const { kind, name, start, end } of scanHtml(html)) {
    const source = html.slice(start, end);
    if (kind === 'comment' || kind === 'doctype' || DROPPED.has(name)) continue;
    if (kind === 'text') {
      // A <span> would end the SVG element.
      const isInSvg = open.count('svg') > open.count('foreignobject');
      result += fillPlaceholders(source, isInSvg ? 'tspan' : 'span', values);
      continue;
    }
    // A tag that the end of the template cuts off.
    if (kind !== 'raw' && !source.endsWith('>')) continue;
    if (kind === 'end' && open.close(name) === null) continue;
    if (kind === 'start' && !VOID_ELEMENTS.has(name) && !source.endsWith('/>')) open.open({ name });
    result += source.replace(PLACEHOLDER, '');
  }
  return result + formatEndTags(open.closeTo(0));
}

/** Replaces page counters and the title of the document by elements that Chromium fills in. */
function fillPlaceholders(source: string, tag: string, { title, date }: TemplateValues): string {
  return source.replace(PLACEHOLDER, (_all, name: keyof typeof CLASSES | 'date') => {
    if (name === 'date') return escapeText(date ?? '');
    if (name === 'title' && title !== null) return escapeText(title);
    return `<${tag} class="${CLASSES[name]}"></${tag}>`;
  });
}
