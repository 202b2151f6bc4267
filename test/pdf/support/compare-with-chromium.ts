/** Compares what the engine prints of documents in a folder with what plain Chromium prints of them. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { OpenResourceFetcher, PdfEngine } from '#pdf';
import { generate } from './open-engine.ts';
import type { FindFile, PlainChromium } from './plain-chromium.ts';
import { countDifferentPixels, paintPdf, readPdf } from './read-pdf.ts';

const DPI = 72;
/** Further pages of a document are only counted. */
const MAX_PAGES = 20;

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Returns what finds the files of folders, each of which is the root of an origin. */
export function serveFolders(folders: ReadonlyMap<string, string>): FindFile {
  return async (url) => {
    if (!URL.canParse(url)) return null;
    const { origin, pathname } = new URL(url);
    const folder = folders.get(origin);
    if (folder === undefined) return null;
    // The parser of URLs has resolved all `..`.
    const path = join(folder, decodeURIComponent(pathname));
    const body = await readFile(path).catch(() => null);
    return body && { type: TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream', body };
  };
}

/** Fetches resources of the engine from the same files. */
export function fetchFrom(findFile: FindFile): OpenResourceFetcher {
  return () => async (request) => {
    const file = await findFile(request.url);
    if (file === null) return { failure: 'is not served' };
    return { url: request.url, status: 200, headers: [['content-type', file.type]], body: file.body };
  };
}

/**
 * `unstable`: plain Chromium prints it differently from one time to the next. `differs`: `detail` says by how
 * much. `fails`: the engine refuses it.
 */
export interface Comparison {
  verdict: 'equal' | 'differs' | 'unstable' | 'fails';
  lane: string;
  detail: string;
}

/** The programs that print, and their files. */
export interface Printers {
  engine: PdfEngine;
  chromium: PlainChromium;
  findFile: FindFile;
}

/** Prints the document at a URL with both, and compares the pixels of its pages. */
export async function compareWithChromium(
  url: string,
  { engine, chromium, findFile }: Printers,
): Promise<Comparison> {
  let lane = '';
  try {
    const html = (await findFile(url))?.body.toString();
    const expected = await chromium.print(url);
    const printed = await generate(engine, { html, base_url: url });
    lane = printed.lane;
    const detail = await findDifference(printed.pdf, expected);
    if (detail === null) return { verdict: 'equal', lane, detail: '' };
    const isStable = (await findDifference(await chromium.print(url), expected)) === null;
    return { verdict: isStable ? 'differs' : 'unstable', lane, detail };
  } catch (error) {
    return { verdict: 'fails', lane, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the URL of a file of an origin. */
export const toUrl = (origin: string, path: string): string =>
  `${origin}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** Returns how two PDFs differ; null if their pages have the same pixels. */
async function findDifference(one: Uint8Array, other: Uint8Array): Promise<string | null> {
  if (removeDates(one).equals(removeDates(other))) return null;
  const [pages, otherPages] = [await readPdf(one), await readPdf(other)].map((pdf) => pdf.pages.length);
  if (pages !== otherPages) return `${pages} pages instead of ${otherPages}`;
  const [pictures, expected] = [await paintPdf(one, DPI, MAX_PAGES), await paintPdf(other, DPI, MAX_PAGES)];
  const count = countDifferentPixels(pictures, expected);
  return count === 0 ? null : `${count} pixels on ${pages} pages`;
}

function removeDates(pdf: Uint8Array): Buffer {
  const text = Buffer.from(pdf).toString('latin1');
  return Buffer.from(text.replace(/\/(?:Creation|Mod)Date \(D:[^)]*\)/g, ''), 'latin1');
}
