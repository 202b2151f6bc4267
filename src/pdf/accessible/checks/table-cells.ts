import { findMeaningfulParent, type Element } from '../structure/structure-tree.ts';

const PARENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  TR: new Set(['Table', 'THead', 'TBody', 'TFoot']),
  TH: new Set(['TR']),
  TD: new Set(['TR']),
  THead: new Set(['Table']),
  TBody: new Set(['Table']),
  TFoot: new Set(['Table']),
};
const CHILDREN: Readonly<Record<string, ReadonlySet<string>>> = {
  Table: new Set(['TR', 'THead', 'TBody', 'TFoot', 'Caption']),
  THead: new Set(['TR']),
  TBody: new Set(['TR']),
  TFoot: new Set(['TR']),
  TR: new Set(['TH', 'TD']),
};

/** Checks whether a part of a table is where PDF/UA-1 (§7.2) does not allow it. */
export function hasMisplacedCells(elements: readonly Element[]): boolean {
  return elements.some((element) => {
    const parent = findMeaningfulParent(element);
    const allowed = PARENTS[element.role];
    if (allowed && !(parent && allowed.has(parent.role))) return true;
    const inside = element.role === 'NonStruct' ? undefined : CHILDREN[parent?.role ?? ''];
    return inside !== undefined && !inside.has(element.role);
  });
}
