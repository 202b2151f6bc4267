import { hasTurnTime, runInSlices } from '#concurrency';
import type { Layer } from '../finish/finish-input.ts';
import { countPages } from '../pdf-file/count-pages.ts';
import { formatSheet, formatSheetDocument } from './format-sheets.ts';
import type { LayerInput, LayerPage, PrintSheets } from './layer-input.ts';
import { listParts } from './list-parts.ts';
import { planSheets, type LayerPart, type PlannedSheets } from './plan-sheets.ts';
import { formatPieces } from './seal-template.ts';

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
