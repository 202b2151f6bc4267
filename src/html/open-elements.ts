/**
 * Decides whether a tag is HTML of the document itself: the part of WHATWG tree construction for template
 * contents, SVG and MathML with their integration points, and the HTML tags that break out of them (HTML
 * §13.2.6.5).
 */
import { RAW_TEXT_ELEMENTS, VOID_ELEMENTS } from './tag-names.ts';

/** As in browsers. */
const MAX_DEPTH = 512;

const HTML = 0;
const TEMPLATE = 1;
const SVG = 2;
const MATH = 3;

const BREAKOUT = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ' +
    'ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);

/** Elements whose end tag closes no SVG or MathML inside: they stay open, or have no end tag. */
const KEPT_OPEN = new Set([...VOID_ELEMENTS, ...RAW_TEXT_ELEMENTS, 'html', 'head', 'body']);

interface OpenElement {
  space: typeof HTML | typeof TEMPLATE | typeof SVG | typeof MATH;
  name: string;
  /** True for an HTML integration point: start tags in it are HTML. */
  isHtmlPoint: boolean;
  /** True for a MathML text integration point. */
  isTextPoint: boolean;
}

const SVG_POINTS = new Set(['foreignobject', 'desc', 'title']);
const MATH_TEXT_POINTS = new Set(['mi', 'mo', 'mn', 'ms', 'mtext']);

/** The open templates and foreign elements, with the HTML inside these; empty on most of a page. */
export class OpenElements {
  #stack: OpenElement[] = [];
  /** The number of elements on the stack by name: most end tags match none, and need no search. */
  #names = new Map<string, number>();
  #templates = 0;
  #foreign = 0;
  #points = 0;

  /** True if no element is open here: every tag is HTML of the document. */
  get isEmpty(): boolean {
    return this.#stack.length === 0;
  }

  get isInTemplate(): boolean {
    return this.#templates > 0;
  }

  /** True if the innermost element is SVG or MathML: `<![CDATA[` opens a CDATA section there. */
  get isForeign(): boolean {
    const top = this.#stack.at(-1);
    return top !== undefined && top.space >= SVG;
  }

  /**
   * Adds the element of a start tag and returns whether it is HTML. `name` is in lower case. `getAttributes`
   * returns the text of the tag's attributes in lower case; it matters for font and annotation-xml only.
   */
  startTag(name: string, isSelfClosing: boolean, getAttributes: () => string): boolean {
    if (!this.#isHtmlStart(name, getAttributes)) {
      if (!isSelfClosing) this.#pushForeign(name, this.#stack.at(-1)!.space, getAttributes);
      return false;
    }
    if (name === 'svg' || name === 'math') {
      if (!isSelfClosing) this.#pushForeign(name, name === 'svg' ? SVG : MATH, getAttributes);
    } else if (name === 'template') {
      this.#push({ space: TEMPLATE, name, isHtmlPoint: false, isTextPoint: false });
    } else if (this.#foreign > 0 && !VOID_ELEMENTS.has(name) && !RAW_TEXT_ELEMENTS.has(name)) {
      this.#push({ space: HTML, name, isHtmlPoint: false, isTextPoint: false });
    }
    return true;
  }

  /** Applies an end tag. `isOpenAround`: an element of its name is open around all of these. */
  endTag(name: string, isOpenAround: boolean): void {
    if (name === 'template') {
      if (this.#templates > 0) this.#popThrough((element) => element.space === TEMPLATE);
      return;
    }
    if (this.isForeign && (name === 'p' || name === 'br')) this.#breakOut();
    if ((this.#names.get(name) ?? 0) > 0 && this.#close(name)) return;
    if (isOpenAround && this.#isPlainForeign && !KEPT_OPEN.has(name)) this.#truncate(0);
  }

  /**
   * Closes the innermost element of that name.
   * Returns false if the tag may close one around all of these.
   */
  #close(name: string): boolean {
    const isForeign = this.isForeign;
    for (let at = this.#stack.length - 1; at >= 0; at--) {
      const element = this.#stack[at]!;
      if (element.space === TEMPLATE) return true;
      if (element.name === name) {
        this.#truncate(at);
        return true;
      }
      if ((element.isHtmlPoint || element.isTextPoint) && !isForeign) return true;
    }
    return false;
  }

  /** True if only SVG and MathML are open, without integration points: end tags reach what is around them. */
  get #isPlainForeign(): boolean {
    return this.isForeign && this.#templates === 0 && this.#points === 0;
  }

  #isHtmlStart(name: string, getAttributes: () => string): boolean {
    const top = this.#stack.at(-1);
    if (top === undefined || top.space < SVG || top.isHtmlPoint) return true;
    if (top.isTextPoint && name !== 'mglyph' && name !== 'malignmark') return true;
    if (top.name === 'annotation-xml' && name === 'svg') return true;
    if (!BREAKOUT.has(name) && !(name === 'font' && /\s(?:color|face|size)[\s=>/]/.test(getAttributes())))
      return false;
    this.#breakOut();
    return true;
  }

  /** Closes elements up to the innermost HTML element or integration point. */
  #breakOut(): void {
    let depth = this.#stack.length;
    while (depth > 0) {
      const top = this.#stack[depth - 1]!;
      if (top.space < SVG || top.isHtmlPoint || top.isTextPoint) break;
      depth--;
    }
    this.#truncate(depth);
  }

  #pushForeign(name: string, space: OpenElement['space'], getAttributes: () => string): void {
    const isHtmlPoint =
      space === SVG
        ? SVG_POINTS.has(name)
        : name === 'annotation-xml' &&
          /\sencoding\s*=\s*["']?(?:text\/html|application\/xhtml\+xml)["'\s>/]/.test(getAttributes());
    this.#push({ space, name, isHtmlPoint, isTextPoint: space === MATH && MATH_TEXT_POINTS.has(name) });
  }

  #push(element: OpenElement): void {
    if (this.#stack.length >= MAX_DEPTH) return;
    this.#stack.push(element);
    this.#count(element, 1);
  }

  #popThrough(isLast: (element: OpenElement) => boolean): void {
    const at = this.#stack.findLastIndex(isLast);
    if (at >= 0) this.#truncate(at);
  }

  #truncate(depth: number): void {
    while (this.#stack.length > depth) this.#count(this.#stack.pop()!, -1);
  }

  #count(element: OpenElement, by: number): void {
    this.#names.set(element.name, (this.#names.get(element.name) ?? 0) + by);
    if (element.space === TEMPLATE) this.#templates += by;
    else if (element.space >= SVG) this.#foreign += by;
    if (element.isHtmlPoint || element.isTextPoint) this.#points += by;
  }
}
