import { PDFArray, PDFDict, PDFName, type PDFContext, type PDFPageLeaf, type PDFRef } from '@cantoo/pdf-lib';
import type { Layer } from '../finish-input.ts';
import { listItems } from '../objects/list-pages.ts';

const CONTENTS = PDFName.of('Contents');
const RESOURCES = PDFName.of('Resources');
const X_OBJECT = PDFName.of('XObject');

/** Adds content before and after that of pages. */
export class PageContents {
  readonly #context: PDFContext;
  /** The pages whose own content is between operators that save and restore the graphics state. */
  readonly #wrapped = new Set<PDFPageLeaf>();
  /** The pages whose resources are theirs alone. */
  readonly #resources = new Map<PDFPageLeaf, PDFDict>();
  #save: PDFRef | null = null;
  #restore: PDFRef | null = null;

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /** Adds a content stream, which must restore the graphics state. */
  add(page: PDFPageLeaf, stream: PDFRef, position: Layer['position']): void {
    const own = listItems(page, CONTENTS);
    const contents = PDFArray.withContext(this.#context);
    for (const one of position === 'behind' ? [stream, ...own] : [...this.#wrap(page, own), stream])
      contents.push(one);
    page.set(CONTENTS, contents);
  }

  /** Adds a form to the resources of a page, which may share them with others. */
  addForm(page: PDFPageLeaf, { name, form }: { name: string; form: PDFRef }): void {
    let forms = this.#resources.get(page);
    if (forms === undefined) {
      const resources = page.Resources()?.clone(this.#context) ?? PDFDict.withContext(this.#context);
      const shared = resources.lookupMaybe(X_OBJECT, PDFDict);
      forms = shared?.clone(this.#context) ?? PDFDict.withContext(this.#context);
      resources.set(X_OBJECT, forms);
      page.set(RESOURCES, resources);
      this.#resources.set(page, forms);
    }
    forms.set(PDFName.of(name), form);
  }

  #wrap<T>(page: PDFPageLeaf, own: readonly T[]): (T | PDFRef)[] {
    if (this.#wrapped.has(page)) return [...own];
    this.#wrapped.add(page);
    this.#save ??= this.#context.register(this.#context.stream('q\n'));
    this.#restore ??= this.#context.register(this.#context.stream('Q\n'));
    return [this.#save, ...own, this.#restore];
  }
}
