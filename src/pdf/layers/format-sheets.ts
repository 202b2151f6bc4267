import type { Layer } from '../finish/finish-input.ts';
import type { LayerPage } from './layer-input.ts';
import { type SealedTemplate, hasPageNumber } from './seal-template.ts';
import { TEMPLATE_STYLES, wrapTemplate } from '../load/print-templates.ts';
import type { Sheet } from '../page-geometry.ts';

/** A template, and the first and last (exclusive) of the pages that get it. */
export interface LayerPart {
  kind: Layer['kind'];
  position: Layer['position'];
  template: SealedTemplate;
  /** The styles of all templates that share a page, as of a header and a footer by Chromium. */
  styles: string;
  from: number;
  to: number;
}

/**
 * Plans the sheets of a template: pages for which it is the same share one. Returns the sheets by size: for
 * each, the indexes of the pages that get it.
 */
export function planSheets(
  { template, kind, from, to }: LayerPart,
  pages: readonly LayerPage[],
): number[][][] {
  const isNumbered = hasPageNumber(template);
  const getSize = ({ width, height }: LayerPage): string => `${width} ${height}`;
  const indexes = Array.from(pages.slice(from, to), (_page, at) => from + at);
  const getKey = (index: number): string => {
    const page = pages[index] as LayerPage;
    return isNumbered ? String(index) : `${getSize(page)} ${formatPlace(kind, page)}`;
  };
  const sheets = [...Map.groupBy(indexes, getKey).values()];
  const bySize = Map.groupBy(sheets, ([index = 0]) => getSize(pages[index] as LayerPage));
  return [...bySize.values()];
}

/** Formats the margins that the place of a template depends on. */
function formatPlace(kind: Layer['kind'], { margins }: LayerPage): string {
  if (kind === 'watermark') return '';
  return [margins.left, margins.right, kind === 'header' ? margins.top : margins.bottom].join(' ');
}

/** A box that is rounded up would make a page more. */
const ROUNDING_PIXELS = 0.02;

/** No style of a template may change these: the sheets would not be the pages of the PDF. */
const ROOT_STYLE =
  'display:block!important;position:static!important;float:none!important;width:auto!important;height:auto!important;min-height:0!important;max-height:none!important;margin:0!important;padding:0!important;border:0!important;overflow:visible!important;transform:none!important;columns:auto!important;zoom:1!important;background:none!important;contain:none!important';
const SHEET_STYLES =
  'page:-sheet!important;position:relative!important;float:none!important;margin:0!important;border:0!important;padding:0!important;box-sizing:border-box!important;max-width:none!important;max-height:none!important;contain:strict!important';

/** The inside of a watermark's sheet: the whole sheet, with the font of a header. */
const WATERMARK_STYLE =
  'width:100%;height:100%;font:9pt Arial,sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact';

/** Formats the place of a template's content on its sheet. */
export function formatSheet(kind: Layer['kind'], content: string, { margins }: LayerPage): string {
  if (kind === 'watermark') return `<div style="${WATERMARK_STYLE}">${content}</div>`;
  const wrapped = wrapTemplate(content, margins);
  if (kind === 'header') return `<div id="header" style="height:${margins.top}px">${wrapped}</div>`;
  return `<div id="content"></div><div id="footer" style="height:${margins.bottom}px">${wrapped}</div>`;
}

/** Formats a document that has one page for each of the sheets, which are of one size. */
export function formatSheetDocument(
  sheets: readonly string[],
  { styles, size: { width, height } }: { styles: string; size: Sheet },
): string {
  const box = `.-sheet{display:flex!important;flex-direction:column!important;width:${width}px!important;height:${height - ROUNDING_PIXELS}px!important;min-height:0!important;${SHEET_STYLES}}.-sheet+.-sheet{break-before:page!important}`;
  const page = `@page -sheet{size:${width}px ${height}px!important;margin:0!important}`;
  const boxes = sheets.map((sheet) => `<div class="-sheet">${sheet}</div>`).join('');
  return `<!doctype html><html style="${ROOT_STYLE}"><head><style>${page}${TEMPLATE_STYLES}noscript{display:none}</style>${styles}<style>${box}</style></head><body style="${ROOT_STYLE}">${boxes}</body></html>`;
}
