import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject } from '@cantoo/pdf-lib';
import type { StructureTree } from './structure-tree.ts';

const PARENT_TREE = PDFName.of('ParentTree');
const NEXT_KEY = PDFName.of('ParentTreeNextKey');
const NUMBERS = PDFName.of('Nums');
const KIDS = PDFName.of('Kids');

/** The tree that finds the element of a page's content or of an annotation (ISO 32000-1 §14.7.4.4). */
export class ParentTree {
  readonly #root: PDFDict;
  readonly #entries = new Map<number, PDFObject>();
  #next = 0;

  constructor({ root }: StructureTree) {
    this.#root = root;
    const seen = new Set<PDFObject>();
    const open = [root.lookup(PARENT_TREE)];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!(node instanceof PDFDict) || seen.has(node)) continue;
      seen.add(node);
      const kids = node.lookup(KIDS);
      if (kids instanceof PDFArray) open.push(...kids.asArray().map((kid) => root.context.lookup(kid)));
      const numbers = node.lookup(NUMBERS);
      if (numbers instanceof PDFArray) this.#read(numbers.asArray());
    }
  }

  set(key: number, parent: PDFObject): void {
    this.#entries.set(key, parent);
  }

  /** Adds an entry and returns its key. */
  add(parent: PDFObject): PDFNumber {
    const key = this.#next;
    this.#next += 1;
    this.#entries.set(key, parent);
    return PDFNumber.of(key);
  }

  /** Writes the tree as one node. */
  write(): void {
    const entries = [...this.#entries].sort(([one], [other]) => one - other);
    const numbers = entries.flatMap(([key, parent]) => [PDFNumber.of(key), parent]);
    const { context } = this.#root;
    this.#root.set(PARENT_TREE, context.register(context.obj({ Nums: numbers })));
    this.#root.set(NEXT_KEY, PDFNumber.of(this.#next));
  }

  #read(numbers: readonly PDFObject[]): void {
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const [key, parent] = [numbers[at], numbers[at + 1]];
      if (!(key instanceof PDFNumber) || parent === undefined) continue;
      this.#entries.set(key.asNumber(), parent);
      this.#next = Math.max(this.#next, key.asNumber() + 1);
    }
  }
}
