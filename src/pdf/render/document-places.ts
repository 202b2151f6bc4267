import { hasTurnTime, runInSlices } from '#concurrency';
import { ApiError } from '#errors';
import { findLinkedNames } from '../contents/contents-marks.ts';
import type { NumberingPlace } from '../contents/numbering.ts';
import { PageMap } from '../contents/page-map.ts';
import type { PdfRequest } from '../pdf-request.ts';

/** The place of a document, before it is known whether it waits for others. */
export type DocumentPlace = Omit<NumberingPlace, 'waitForOthers'>;

/** Returns the place of a document that is its whole PDF. */
export function createOnlyPlace(): NumberingPlace {
  return {
    pages: new PageMap(1),
    index: 0,
    wanted: [],
    hasOthers: false,
    waitForOthers: () => Promise.resolve(false),
  };
}

/** Returns the places of the documents of a PDF, which know what all of them link to. */
export async function createPlaces(documents: readonly PdfRequest[]): Promise<DocumentPlace[]> {
  const pages = new PageMap(documents.length);
  const hasOthers = documents.length > 1;
  const wanted = hasOthers ? await findAllLinkedNames(documents) : [];
  return documents.map((_document, index) => ({ pages, index, wanted, hasOthers }));
}

async function findAllLinkedNames(documents: readonly PdfRequest[]): Promise<string[]> {
  const names = new Set<string>();
  let index = 0;
  await runInSlices(() => {
    do {
      const document = documents[index];
      if (document === undefined) return true;
      for (const name of findLinkedNames(document.html)) names.add(name);
      index += 1;
    } while (hasTurnTime());
    return false;
  });
  return [...names];
}

/**
 * Returns the indexes of the pages that page_ranges select, in their order. Ranges may end after the last
 * page. Throws invalid_parameter if they select none.
 */
export function resolvePageRanges(pageRanges: string, count: number): number[] {
  const selected = new Set<number>();
  for (const range of pageRanges.split(',')) {
    const [first = '', last = first] = range.split('-');
    const end = Math.min(count, last === '' ? count : Number(last));
    for (let page = Number(first); page <= end; page += 1) selected.add(page - 1);
  }
  if (selected.size === 0) throw createRangeError(count);
  return [...selected].sort((one, other) => one - other);
}

/** Creates the error of page_ranges beyond the end. */
export function createRangeError(pages: number, cause?: unknown): ApiError {
  const count = pages === 1 ? 'one page' : `${pages} pages`;
  return new ApiError(
    'invalid_parameter',
    `page_ranges asks for pages that the document does not have: it has ${count}.`,
    { param: 'page_ranges', cause },
  );
}
