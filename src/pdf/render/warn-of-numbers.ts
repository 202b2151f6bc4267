import type { Numbering } from '../contents/numbering.ts';
import type { Warnings } from '../warnings/warnings.ts';

const UNSTABLE =
  'The page numbers of links change the pages that they name: some of them are wrong. Give them a fixed width.';

/** Warns of links that should show a page number, and show none or a wrong one. */
export function warnOfNumbers(numbering: Numbering, warnings: Warnings): void {
  for (const name of numbering.missing)
    // Ends in a period, at which the client splits the warnings of a response.
    warnings.add('layout', `A link shows no page number, as its target is on no page: #${name}.`);
  if (!numbering.isCurrent()) warnings.add('layout', UNSTABLE);
}
