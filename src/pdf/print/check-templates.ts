import { CdpError, type Page } from '#browser';
import { LRUCache } from 'lru-cache';
import { TEMPLATE_STYLES, type Templates, toPrintTemplates } from '../load/print-templates.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { DEFAULT_SHEET, PIXELS_PER_MM } from '../page-geometry.ts';
import { completeMargins, DEFAULT_MARGINS } from '../request/document-members.ts';
import type { Warnings } from '../warnings/warnings.ts';

/** A pixel is rounded at each edge. */
const TOLERANCE_PIXELS = 1;

/**
 * Returns the distances from the edges of the sheet to the inner ends of the header and the footer; null if
 * one of them takes in what follows, as with a table that is left open.
 */
const MEASURE = `(() => {
  const box = (element) => Element.prototype.getBoundingClientRect.call(element);
  const boxes = [...document.body.children];
  if (boxes.map(({ id }) => id).join(' ') !== 'header content footer') return null;
  const [header, , footer] = boxes;
  const [top, bottom] = [header.firstElementChild, footer.firstElementChild];
  return [box(top).bottom - box(header).top, box(footer).bottom - box(bottom).top];
})()`;

interface TemplateCheck {
  templates: Templates;
  warnings: Warnings;
  keyId: string;
  heights: TemplateHeights;
  /** The page will be used again: its next document may not see this one load. */
  isReused: boolean;
}

/**
 * Warns of a header or footer that is taller than its margin, and so covers the document. Replaces the
 * document of the page, which must be printed before.
 */
export async function checkTemplates(
  page: Page,
  request: PdfRequest,
  { templates, warnings, keyId, heights, isReused }: TemplateCheck,
): Promise<void> {
  const margins = findMargins(request, templates);
  if (margins.top === null && margins.bottom === null) return;
  const html = formatTemplatePage(request, templates);
  const found = await heights.find(keyId, html, () => measure(page, html, isReused));
  if (found === null) return;
  const [top, bottom] = found;
  warnOfHeight(warnings, { name: 'header', side: 'top', needed: top, margin: margins.top });
  warnOfHeight(warnings, { name: 'footer', side: 'bottom', needed: bottom, margin: margins.bottom });
}

/** Measures the header and the footer in the page; null if their elements prevent it. */
async function measure(page: Page, html: string, isReused: boolean): Promise<Heights | null> {
  page.setScripting(false);
  if (isReused) await page.setContent(html);
  // The time of another page stands still, and the document needs none to be laid out.
  else await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
  const heights = await page.evaluate(MEASURE).catch(ignoreCdpError);
  return Array.isArray(heights) ? [Number(heights[0]), Number(heights[1])] : null;
}

/** Returns null for an error in the page: the PDF was printed before. */
function ignoreCdpError(error: unknown): null {
  if (error instanceof CdpError) return null;
  throw error;
}

/**
 * Returns the margins that a header and a footer have. Null without one, and if an @page rule of the document
 * may decide.
 */
function findMargins(
  { margins, html, css }: PdfRequest,
  { header, footer }: Templates,
): { top: number | null; bottom: number | null } {
  const mayHaveRule = /@page|stylesheet|@import|<script/i.test(`${html}${css ?? ''}`);
  const find = (side: 'top' | 'bottom'): number | null =>
    margins[side] ?? (mayHaveRule ? null : DEFAULT_MARGINS[side]);
  return {
    top: header === undefined ? null : find('top'),
    bottom: footer === undefined ? null : find('bottom'),
  };
}

function formatTemplatePage(request: PdfRequest, templates: Templates): string {
  const { width, height } = request.sheet ?? DEFAULT_SHEET;
  const margins = completeMargins(request.margins);
  const { headerTemplate, footerTemplate } = toPrintTemplates(templates, margins);
  return `<!doctype html><style>body{display:flex;flex-direction:column;margin:0}${TEMPLATE_STYLES}</style><body style="width:${width}px;height:${height}px"><div id="header" style="height:${margins.top}px">${headerTemplate}</div><div id="content"></div><div id="footer" style="height:${margins.bottom}px">${footerTemplate}</div>`;
}

function warnOfHeight(
  warnings: Warnings,
  { name, side, needed, margin }: { name: string; side: string; needed: number; margin: number | null },
): void {
  if (margin === null || !(needed > margin + TOLERANCE_PIXELS)) return;
  const millimeters = Math.ceil((needed / PIXELS_PER_MM) * 10) / 10;
  warnings.add(
    'layout',
    `The ${name} is taller than its margin and covers the document: send a margin_${side} of at least ${millimeters}mm.`,
  );
}

/** Distances from the edges of the sheet to the inner ends of the header and the footer, in pixels. */
export type Heights = readonly [top: number, bottom: number];

const MAX_ENTRIES = 500;
/** Larger templates are measured each time. */
const MAX_LENGTH = 16 * 1024;

/**
 * The heights of headers and footers that were measured, for the same API key: most documents of a key have
 * the same ones, but for numbers.
 */
export class TemplateHeights {
  readonly #heights = new LRUCache<string, Heights>({ max: MAX_ENTRIES });

  /** Returns the heights of the header and footer in `html`; measures them if they are not known. */
  async find(keyId: string, html: string, measure: () => Promise<Heights | null>): Promise<Heights | null> {
    if (html.length > MAX_LENGTH) return measure();
    const key = `${keyId} ${maskNumbers(html)}`;
    const heights = this.#heights.get(key) ?? (await measure());
    if (heights) this.#heights.set(key, heights);
    return heights;
  }
}

/** Styles, tags and character references, whose digits stay; and digits of text. */
const STYLE_TAG_REFERENCE_OR_DIGIT = /<style\b[^<]*|<(?:"[^"]*"|'[^']*'|[^"'<>])*>|&#?\w+|\d/gi;

/** Replaces the digits of text: numbers of as many digits are as wide. */
function maskNumbers(html: string): string {
  return html.replace(STYLE_TAG_REFERENCE_OR_DIGIT, (match) => (match.length === 1 ? '0' : match));
}
