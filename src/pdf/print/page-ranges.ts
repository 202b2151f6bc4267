import { ApiError } from '#errors';

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
