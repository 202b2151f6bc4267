import { workInTurn } from '#concurrency';
import type { LayerInput, LayerPage, SheetPrinter } from './layer-input.ts';
import { type LayerPart, formatSheet, formatSheetDocument, planSheets } from './format-sheets.ts';
import { formatPieces, sealTemplate } from './seal-template.ts';
import type { Layer } from '../finish/finish-input.ts';
import { countPages } from '../pdf-file/object-table.ts';

/** Lists the templates of a PDF with the pages that get them, in the order in which they are laid. */
async function listParts(
  { templates, watermarkPosition, pages: { length } }: LayerInput,
  evaluate: SheetPrinter['evaluate'],
): Promise<LayerPart[]> {
  const { header = '', footer = '', firstHeader, firstFooter, watermark = '' } = templates;
  const hasFirst = firstHeader !== undefined || firstFooter !== undefined;
  const list = async (
    range: { from: number; to: number },
    kinds: Partial<Record<Layer['kind'], string>>,
    position: Layer['position'] = 'over',
  ): Promise<LayerPart[]> => {
    const sealed = Object.entries(kinds).map(
      async ([kind, html]) => [kind as Layer['kind'], await sealTemplate(html, evaluate)] as const,
    );
    const parts = range.from < range.to ? await Promise.all(sealed) : [];
    // A header and a footer share their styles.
    const styles = parts.map(([, template]) => template.styles).join('');
    return parts.flatMap(([kind, template]) =>
      template.pieces.length === 0 ? [] : [{ ...range, kind, position, template, styles }],
    );
  };
  const first = { header: firstHeader ?? header, footer: firstFooter ?? footer };
  return [
    ...(await list({ from: hasFirst ? 1 : 0, to: length }, { header, footer })),
    ...(hasFirst ? await list({ from: 0, to: 1 }, first) : []),
    ...(await list({ from: 0, to: length }, { watermark }, watermarkPosition)),
  ];
}

/** The time that Chromium takes grows with the square of the pages of a document. */
const MAX_SHEETS = 200;
/** Characters of a document of sheets: each repeats the content of its template. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Prints the headers, footers and watermarks of a PDF whose pages are known: a sheet for each page that needs
 * one of its own. Those of equal size are pages of one document, so that they share images and fonts.
 */
export async function printLayers(input: LayerInput, printer: SheetPrinter): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const part of await listParts(input, printer.evaluate))
    for (const planned of planSheets(part, input.pages))
      for (let from = 0; from < planned.length;) {
        const sheets = await formatNextSheets(part, planned.slice(from, from + MAX_SHEETS), input);
        const size = input.pages[planned[0]?.[0] ?? 0] as LayerPage;
        for (const { pdf, count } of await printSheets(sheets, { part, size, print: printer.print })) {
          layers.push(toLayer(part, pdf, planned.slice(from, from + count)));
          from += count;
        }
      }
  return layers;
}

/** Formats as many of these sheets as one document may have; at least one. */
async function formatNextSheets(
  { kind, template }: LayerPart,
  planned: readonly number[][],
  { pages, title }: LayerInput,
): Promise<string[]> {
  const sheets: string[] = [];
  let characters = 0;
  for (const [index = 0] of planned) {
    if (characters > MAX_CHARACTERS) break;
    const values = { pageNumber: index + 1, totalPages: pages.length, title };
    const format = (): string => formatSheet(kind, formatPieces(template, values), pages[index] as LayerPage);
    const sheet = await workInTurn(format);
    characters += sheet.length;
    sheets.push(sheet);
  }
  return sheets;
}

interface PrintedSheets {
  pdf: Uint8Array;
  count: number;
}

/**
 * Prints sheets as the pages of one document. If it gets another number of pages, as from a template that the
 * parser does not keep inside its sheet, they are halved until each is a document.
 */
async function printSheets(
  sheets: readonly string[],
  options: { part: LayerPart; size: LayerPage; print: SheetPrinter['print'] },
): Promise<PrintedSheets[]> {
  const { part, size, print } = options;
  const pdf = await print(formatSheetDocument(sheets, { styles: part.styles, size }));
  const count = sheets.length;
  const file = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  if (count === 1 || countPages(file) === count) return [{ pdf, count }];
  const half = Math.ceil(count / 2);
  const first = await printSheets(sheets.slice(0, half), options);
  return [...first, ...(await printSheets(sheets.slice(half), options))];
}

function toLayer({ kind, position }: LayerPart, pdf: Uint8Array, sheets: readonly number[][]): Layer {
  const pages = sheets.flatMap((indexes, sheet) => indexes.map((index) => [index, sheet] as const));
  return { pdf, kind, position, pages: new Map(pages) };
}
