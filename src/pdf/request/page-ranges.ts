const MAX_PAGE = 100_000;

/**
 * Returns page ranges without spaces, as Page.printToPDF takes them: `1-3,5`, `4-`. Returns null if the
 * syntax is wrong, a page is 0, or a range descends.
 */
export function normalizePageRanges(text: string): string | null {
  const ranges = text.split(',').map((range) => range.trim());
  return ranges.every(isRange) ? ranges.map((range) => range.replace(/\s+/g, '')).join(',') : null;
}

function isRange(range: string): boolean {
  const match = /^(\d{1,6})(\s*-\s*(\d{1,6})?)?$/.exec(range);
  if (!match) return false;
  const first = Number(match[1]);
  const last = match[3] === undefined ? MAX_PAGE : Number(match[3]);
  return first >= 1 && first <= last && last <= MAX_PAGE;
}
