import { PDFDocument } from '@cantoo/pdf-lib';
import type { PdfEngine } from '#pdf';
import { fillTemplate, type Templates } from '../../../src/pdf/load/print-templates.ts';
import { composePdf } from '../../../src/pdf/finish/finish-pdf.ts';
import type { Layer } from '../../../src/pdf/finish/finish-input.ts';
import type { LayerInput, LayerPage } from '../../../src/pdf/layers/layer-input.ts';
import { printLayers } from '../../../src/pdf/layers/print-layers.ts';
import { DEFAULT_MARGINS } from '../../../src/pdf/request/document-members.ts';
import { generate } from './open-engine.ts';
import { evaluate } from './shared-engine.ts';

/** Chromium rounds a sheet to its pixels. */
const A4_POINTS = { width: 595.91998, height: 841.91998 };

export const A4_PAGE: LayerPage = {
  width: A4_POINTS.width / 0.75,
  height: A4_POINTS.height / 0.75,
  margins: DEFAULT_MARGINS,
};
/** The same page, turned. */
export const LANDSCAPE_PAGE: LayerPage = { ...A4_PAGE, width: A4_PAGE.height, height: A4_PAGE.width };

/** Prints layers as the service does, and counts the prints. */
export async function printTestLayers(
  engine: PdfEngine,
  templates: Templates,
  input: Partial<Omit<LayerInput, 'templates'>> = {},
): Promise<{ layers: Layer[]; prints: number }> {
  const filled = Object.entries(templates).map(([name, html]) => [
    name,
    fillTemplate(html ?? '', { title: null, date: '2026-11-22' }),
  ]);
  let prints = 0;
  const print = async (html: string): Promise<Uint8Array> => {
    prints += 1;
    return (await generate(engine, { html, javascript: false })).pdf;
  };
  const layers = await printLayers(
    {
      templates: Object.fromEntries(filled) as Templates,
      watermarkPosition: 'behind',
      title: '',
      pages: [A4_PAGE],
      ...input,
    },
    { evaluate, print },
  );
  return { layers, prints };
}

/** Composes a PDF, and returns its bytes. */
export async function compose(
  documents: readonly Uint8Array[],
  { layers = [], pages = null }: { layers?: readonly Layer[]; pages?: readonly number[] | null } = {},
): Promise<Uint8Array> {
  const pdf = await composePdf({ documents, layers, pages });
  return pdf.save({ addDefaultPage: false });
}

/** Loads a PDF with the library. */
export function load(pdf: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(pdf, { updateMetadata: false });
}
