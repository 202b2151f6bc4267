import type { Element } from '../structure/structure-tree.ts';

const HEADING = /^H([1-6]?)$/;

/**
 * Finds a heading that breaks the order of PDF/UA-1 (§7.4.2): the first is h1, and none is more than one
 * level below the one before it. Chromium writes `H` for a level above 6.
 */
export function findHeadingFault(elements: readonly Element[]): string | null {
  let before = 0;
  for (const { role } of elements) {
    const [, digit] = HEADING.exec(role) ?? [];
    if (digit === undefined) continue;
    if (digit === '') return 'a heading has a level above 6: use h1 to h6.';
    const level = Number(digit);
    if (before === 0 && level > 1) return `its first heading is an h${level}: begin with an h1.`;
    if (level > before + 1) return `an h${level} follows an h${before}: leave out no level of headings.`;
    before = level;
  }
  return null;
}
