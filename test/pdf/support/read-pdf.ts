import './find-canvas.ts';
import { createCanvas } from 'napi-canvas';
import { getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist';

/** One run of text: its place is in points from the lower left corner of the sheet. */
export interface TextRun {
  text: string;
  x: number;
  y: number;
  height: number;
  font: string;
}

export interface ReadPage {
  /** Points. */
  width: number;
  height: number;
  text: string;
  runs: TextRun[];
}

export interface ReadPdf {
  pages: ReadPage[];
  title: string;
  language: string | null;
  isTagged: boolean;
  /** The roles of the first page's structure tree, in order. */
  roles: string[];
  /** Titles of the outline, indented by two blanks a level. */
  outline: string[];
  xmp: string | null;
  viewerPreferences: Record<string, unknown>;
}

async function open<T>(
  pdf: Uint8Array,
  read: (document: PDFDocumentProxy) => Promise<T>,
  password?: string,
): Promise<T> {
  const task = getDocument({
    data: Uint8Array.from(pdf),
    ...(password !== undefined && { password }),
    verbosity: VerbosityLevel.ERRORS,
    useSystemFonts: false,
    fontExtraProperties: true,
  });
  try {
    return await read(await task.promise);
  } finally {
    await task.destroy();
  }
}

/** Parses a PDF with pdf.js: sizes, text and metadata. */
export function readPdf(pdf: Uint8Array, password?: string): Promise<ReadPdf> {
  return open(pdf, readDocument, password);
}

async function readDocument(document: PDFDocumentProxy): Promise<ReadPdf> {
  const { info } = await document.getMetadata();
  const { metadata } = await document.getMetadata();
  const fields = info as { Title?: string; Language?: string | null };
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) pages.push(await readPage(document, number));
  return {
    pages,
    title: fields.Title ?? '',
    language: fields.Language ?? null,
    isTagged:
      ((await document.getMarkInfo()) as unknown as Map<string, boolean> | null)?.get('Marked') === true,
    roles: listRoles((await (await document.getPage(1)).getStructTree()) as StructureNode | null),
    outline: flatten((await document.getOutline()) ?? []),
    xmp: metadata?.getRaw() ?? null,
    viewerPreferences: Object.fromEntries(
      ((await document.getViewerPreferences()) as Map<string, unknown> | null) ?? [],
    ),
  };
}

/** Returns the fields of the information dictionary, and the language of the catalog. */
export function readFields(pdf: Uint8Array, password?: string): Promise<Record<string, unknown>> {
  return open(
    pdf,
    async (document) => (await document.getMetadata()).info as Record<string, unknown>,
    password,
  );
}

/** Returns the names of the attached files. */
export function readAttachmentNames(pdf: Uint8Array): Promise<string[]> {
  return open(pdf, async (document) => {
    const found = (await document.getAttachments()) as Map<string, { rawFilename: string }> | null;
    return [...(found?.values() ?? [])].map(({ rawFilename }) => rawFilename);
  });
}

/** Returns the dates of creation and of modification. */
export function readDates(pdf: Uint8Array): Promise<[created: string, modified: string]> {
  return open(pdf, async (document) => {
    const info = (await document.getMetadata()).info as { CreationDate?: string; ModDate?: string };
    return [info.CreationDate ?? '', info.ModDate ?? ''];
  });
}

/** Returns the links of the first page: their targets, and the texts that describe them. */
export function readLinks(pdf: Uint8Array): Promise<{ url: string; description: string }[]> {
  return open(pdf, async (document) => {
    const annotations = await (await document.getPage(1)).getAnnotations();
    return annotations
      .filter(({ subtype }) => subtype === 'Link')
      .map(({ unsafeUrl, contentsObj }) => ({ url: unsafeUrl, description: contentsObj.str }));
  });
}

async function readPage(document: PDFDocumentProxy, number: number): Promise<ReadPage> {
  const page = await document.getPage(number);
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const content = await page.getTextContent();
  const runs = content.items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [
          {
            text: item.str,
            x: item.transform[4] as number,
            y: item.transform[5] as number,
            height: item.height,
            font: item.fontName,
          },
        ]
      : [],
  );
  const text = content.items
    .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
    .join('');
  return { width: right - left, height: top - bottom, text, runs };
}

/** An element of the structure tree of a page, or what it contains. */
export interface StructureNode {
  role?: string;
  /** Of what is no element: `content`, or `annotation`. */
  type?: string;
  lang?: string;
  structId?: string;
  headers?: string[];
  children?: StructureNode[];
}

/** Returns the structure tree of each page; null for a page without one. */
export function readStructure(pdf: Uint8Array): Promise<(StructureNode | null)[]> {
  return open(pdf, async (document) => {
    const trees: (StructureNode | null)[] = [];
    for (let number = 1; number <= document.numPages; number += 1)
      trees.push((await (await document.getPage(number)).getStructTree()) as StructureNode | null);
    return trees;
  });
}

function listRoles(node: StructureNode | null): string[] {
  if (!node) return [];
  return [...(node.role === undefined ? [] : [node.role]), ...(node.children ?? []).flatMap(listRoles)];
}

interface OutlineNode {
  title: string;
  items: OutlineNode[];
}

function flatten(nodes: readonly OutlineNode[], level = 0): string[] {
  return nodes.flatMap((node) => [`${'  '.repeat(level)}${node.title}`, ...flatten(node.items, level + 1)]);
}

/** The fonts of all pages: their PostScript names as embedded. */
export function readFonts(pdf: Uint8Array): Promise<string[]> {
  return open(pdf, listFonts);
}

/** Parses a PDF as `readPdf()` does, and lists its fonts. */
export function readPdfAndFonts(pdf: Uint8Array): Promise<ReadPdf & { fonts: string[] }> {
  return open(pdf, async (document) => ({
    ...(await readDocument(document)),
    fonts: await listFonts(document),
  }));
}

async function listFonts(document: PDFDocumentProxy): Promise<string[]> {
  const names = new Set<string>();
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const operators = await page.getOperatorList();
    operators.fnArray.forEach((fn, index) => {
      if (fn !== OPS.setFont) return;
      const [id] = operators.argsArray[index] as [string];
      if (!page.commonObjs.has(id)) return;
      const font = page.commonObjs.get(id) as { name?: string; missingFile?: boolean };
      names.add(`${font.name ?? ''}${font.missingFile === true ? ' (not embedded)' : ''}`);
    });
  }
  return [...names];
}

/** A picture of a page: RGBA, four bytes a pixel, on white. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8ClampedArray;
  png: () => Buffer;
}

/** Pictures of the pages at the given resolution. */
export function paintPdf(
  pdf: Uint8Array,
  dpi: number,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Picture[]> {
  return open(pdf, async (document) => {
    const pictures: Picture[] = [];
    for (let number = 1; number <= Math.min(document.numPages, maxPages); number += 1) {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: dpi / 72 });
      const width = Math.ceil(viewport.width);
      const height = Math.ceil(viewport.height);
      const canvas = createCanvas(width, height);
      const context = canvas.getContext('2d');
      context.fillStyle = 'white';
      context.fillRect(0, 0, width, height);
      await page.render({
        canvas: null,
        canvasContext: context as never,
        viewport,
      }).promise;
      pictures.push({
        width,
        height,
        data: context.getImageData(0, 0, width, height).data,
        png: () => canvas.toBuffer('image/png'),
      });
      page.cleanup();
    }
    return pictures;
  });
}

/** Counts the pixels that differ in two lists of pictures. A page that only one of them has counts whole. */
export function countDifferentPixels(a: Picture[], b: Picture[]): number {
  let different = 0;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [one, other] = [a[index], b[index]];
    if (!one || !other || one.width !== other.width || one.height !== other.height) {
      different += (one ?? other)!.width * (one ?? other)!.height;
      continue;
    }
    for (let at = 0; at < one.data.length; at += 4) {
      if (
        one.data[at] !== other.data[at] ||
        one.data[at + 1] !== other.data[at + 1] ||
        one.data[at + 2] !== other.data[at + 2]
      )
        different += 1;
    }
  }
  return different;
}
