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

/** Returns the places of the documents of a PDF, which know what the others link to. */
export function createPlaces(documents: readonly PdfRequest[]): DocumentPlace[] {
  const pages = new PageMap(documents.length);
  const hasOthers = documents.length > 1;
  const linked = documents.map(({ html }) => (hasOthers ? findLinkedNames(html) : new Set<string>()));
  return documents.map((_document, index) => {
    const wanted = new Set(linked.flatMap((names, at) => (at === index ? [] : [...names])));
    return { pages, index, wanted: [...wanted], hasOthers };
  });
}
