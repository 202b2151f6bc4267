import { hasTurnTime, runInSlices } from '#concurrency';
import { findLinkedNames } from '../contents/linked-names.ts';
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
