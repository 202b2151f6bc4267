import type { StructureTree } from '../structure/structure-tree.ts';
import { countUnnamedFigures } from './figures.ts';
import { findHeadingFault } from './headings.ts';
import { hasMisplacedCells } from './table-cells.ts';

/** The facts that the structure itself does not say. */
export interface Findings {
  hasTitle: boolean;
  hasLanguage: boolean;
  /** Characters that no font has. */
  unknownCharacters: number;
  /** A part of the structure is drawn more than once. */
  repeatsStructure: boolean;
}

/** Chromium makes no structure for a document without text and named images. */
export const NOTHING_TO_READ =
  'it has neither text nor an image with an alternative text that a screen reader could read.';

/** Lists what a document lacks to be PDF/UA-1, and what to add: a sentence of printable ASCII each. */
export function findFaults(
  tree: StructureTree,
  { hasTitle, hasLanguage, unknownCharacters, repeatsStructure }: Findings,
): string[] {
  const faults: string[] = [];
  if (!hasTitle) faults.push('it has no title: send title, or add a <title>.');
  if (!hasLanguage) faults.push('its language is not known: send lang, or add lang to its <html>.');
  const figures = countUnnamedFigures(tree.elements);
  if (figures > 0)
    faults.push(
      `${figures} of its images ${figures === 1 ? 'has' : 'have'} no alternative text: add alt to each img (alt="" if it only decorates), role="img" and aria-label to each svg, canvas and figure.`,
    );
  const heading = findHeadingFault(tree.elements);
  if (heading !== null) faults.push(heading);
  if (hasMisplacedCells(tree.elements))
    faults.push('a table has content outside of its cells, or cells outside of a row: correct its markup.');
  if (unknownCharacters > 0)
    faults.push(
      `${unknownCharacters} of its characters are in no font: replace them, or add a font that has them.`,
    );
  if (repeatsStructure)
    faults.push('a part of its text is drawn twice, as masks do: remove mask from elements with text.');
  return faults;
}
