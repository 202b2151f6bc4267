import { hasTurnTime, runInSlices } from '#concurrency';
import type { LayerInput, LayerPage, PrintSheets } from './layer-input.ts';
import {
  type LayerPart,
  type PlannedSheets,
  formatSheet,
  formatSheetDocument,
  planSheets,
} from './format-sheets.ts';
import { formatPieces, sealTemplate } from './seal-template.ts';
import type { Layer } from '../finish/finish-input.ts';
import { countPages } from '../pdf-file/scan-pages.ts';

/** Lists the templates of a PDF with the pages that get them, in the order in which they are laid. */
function listParts({ templates, watermarkPosition, pages: { length } }: LayerInput): LayerPart[] {
  const { header, footer, firstHeader, firstFooter, watermark } = templates;
  const hasFirst = firstHeader !== null || firstFooter !== null;
  const parts = listPair({ header, footer }, { from: hasFirst ? 1 : 0, to: length });
  if (hasFirst) {
    const first = { header: firstHeader ?? header, footer: firstFooter ?? footer };
    parts.push(...listPair(first, { from: 0, to: 1 }));
  }
  if (isBlank(watermark)) return parts;
  const template = sealTemplate(watermark ?? '');
  const stamp = { kind: 'watermark', position: watermarkPosition, from: 0, to: length } as const;
  return [...parts, { ...stamp, template, styles: template.styles }];
}

/** Lists a header and a footer, which share their styles. */
function listPair(
  { header, footer }: { header: string | null; footer: string | null },
  range: { from: number; to: number },
): LayerPart[] {
  if (range.from >= range.to) return [];
  const [top, bottom] = [sealTemplate(header ?? ''), sealTemplate(footer ?? '')];
  const common = { ...range, position: 'over', styles: top.styles + bottom.styles } as const;
  return [
    ...(isBlank(header) ? [] : [{ ...common, kind: 'header', template: top } as const]),
    ...(isBlank(footer) ? [] : [{ ...common, kind: 'footer', template: bottom } as const]),
  ];
}

function isBlank(template: string | null): boolean {
  return template === null || template.trim() === '';
}

/** The time that Chromium takes grows with the square of the pages of a document. */
const MAX_SHEETS = 200;
/** Characters of a document of sheets: each repeats the content of its template. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Prints the headers, footers and watermarks of a PDF whose pages are known: a sheet for each page that needs
 * one of its own. Those of equal size are pages of one document, so that they share images and fonts.
 */
export async function printLayers(input: LayerInput, print: PrintSheets): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const part of listParts(input)) {
    for (const planned of planSheets(part, input.pages)) {
      for (let from = 0; from < planned.sheets.length;) {
        const sheets = await formatNextSheets(part, planned.sheets.slice(from, from + MAX_SHEETS), input);
        for (const printed of await printSheets(sheets, { part, size: sizeOf(planned, input), print }))
          layers.push(toLayer(part, planned, { ...printed, from: from + printed.from }));
        from += sheets.length;
      }
    }
  }
  return layers;
}

function sizeOf({ sheets: [sheet] }: PlannedSheets, { pages }: LayerInput): LayerPage {
  return pages[sheet?.[0] ?? 0] as LayerPage;
}

/** Formats as many of these sheets as one document may have; at least one. */
async function formatNextSheets(
  { kind, template }: LayerPart,
  planned: PlannedSheets['sheets'],
  { pages, title }: LayerInput,
): Promise<string[]> {
  const sheets: string[] = [];
  let characters = 0;
  await runInSlices(() => {
    do {
      const index = planned[sheets.length]?.[0];
      if (index === undefined || characters > MAX_CHARACTERS) return true;
      const content = formatPieces(template, { page: index + 1, pages: pages.length, title });
      const sheet = formatSheet(kind, content, pages[index] as LayerPage);
      characters += sheet.length;
      sheets.push(sheet);
    } while (hasTurnTime());
    return false;
  });
  return sheets;
}

interface PrintedSheets {
  pdf: Uint8Array;
  /** The index of its first sheet. */
  from: number;
  count: number;
}

/**
 * Prints sheets as the pages of one document. If it gets another number of pages, as from a template that the
 * parser does not keep inside its sheet, they are halved until each is a document.
 */
async function printSheets(
  sheets: readonly string[],
  options: { part: LayerPart; size: LayerPage; print: PrintSheets },
): Promise<PrintedSheets[]> {
  const { part, size, print } = options;
  const pdf = await print(formatSheetDocument(sheets, { styles: part.styles, size }));
  const count = sheets.length;
  const file = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  if (count === 1 || countPages(file) === count) return [{ pdf, from: 0, count }];
  const half = Math.ceil(count / 2);
  const first = await printSheets(sheets.slice(0, half), options);
  const second = await printSheets(sheets.slice(half), options);
  return [...first, ...second.map((printed) => ({ ...printed, from: printed.from + half }))];
}

function toLayer(
  { kind, position }: LayerPart,
  { sheets }: PlannedSheets,
  { pdf, from, count }: PrintedSheets,
): Layer {
  const printed = sheets.slice(from, from + count);
  const pages = new Map(printed.flatMap((indexes, sheet) => indexes.map((index) => [index, sheet] as const)));
  return { pdf, kind, position, pages };
}
