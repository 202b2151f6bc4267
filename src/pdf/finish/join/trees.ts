import { PDFArray, PDFDict, PDFName, type PDFObject } from '@cantoo/pdf-lib';

const KIDS = PDFName.of('Kids');

/** Lists the entries of a name tree or number tree (ISO 32000-1 §7.9.6 and §7.9.7) in their order. */
export function listTreeEntries(
  root: PDFDict | undefined,
  leafKey: 'Names' | 'Nums',
): [key: PDFObject, value: PDFObject][] {
  const entries: [PDFObject, PDFObject][] = [];
  const waiting = root === undefined ? [] : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { context } = node;
    const leaves = node.lookupMaybe(PDFName.of(leafKey), PDFArray)?.asArray() ?? [];
    for (let at = 0; at + 1 < leaves.length; at += 2)
      entries.push([context.lookup(leaves[at]) as PDFObject, leaves[at + 1] as PDFObject]);
    const kids = node.lookupMaybe(KIDS, PDFArray)?.asArray() ?? [];
    waiting.push(...kids.map((kid) => context.lookup(kid, PDFDict)).toReversed());
  }
  return entries;
}

/** Replaces the entries of a tree, which must be sorted, by one node. */
export function setTreeEntries(
  root: PDFDict,
  leafKey: 'Names' | 'Nums',
  entries: readonly (readonly [PDFObject, PDFObject])[],
): void {
  const leaves = PDFArray.withContext(root.context);
  for (const [key, value] of entries) {
    leaves.push(key);
    leaves.push(value);
  }
  root.delete(KIDS);
  root.set(PDFName.of(leafKey), leaves);
}
