/**
 * Decides whether a tag is HTML of the document itself, by the rules of WHATWG tree construction for the
 * contents of templates, for SVG and MathML with their integration points, and for the HTML tags that break
 * out of them (HTML §13.2.6.5).
 */
import { OpenElements } from './open-elements.ts';
import { RAW_TEXT_ELEMENTS, VOID_ELEMENTS } from './tag-names.ts';

/** The limit of browsers. */
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

interface ForeignElement {
  space: typeof HTML | typeof TEMPLATE | typeof SVG | typeof MATH;
  name: string;
  /** True for an HTML integration point: start tags in it are HTML. */
  isHtmlPoint: boolean;
  /** True for a MathML text integration point. */
  isTextPoint: boolean;
}

const SVG_POINTS = new Set(['foreignobject', 'desc', 'title']);
const MATH_TEXT_POINTS = new Set(['mi', 'mo', 'mn', 'ms', 'mtext']);

/**
 * The open templates, SVG and MathML elements, and the HTML elements inside them. Empty on most of a page.
 */
export class ForeignContent {
  readonly #open = new OpenElements<ForeignElement>();
  #templates = 0;
  #foreign = 0;
  #points = 0;

  /** True if no element is open here: every tag is HTML of the document. */
  get isEmpty(): boolean {
    return this.#open.depth === 0;
  }

  get isInTemplate(): boolean {
    return this.#templates > 0;
  }

  /** True if the innermost element is SVG or MathML: `<![CDATA[` opens a CDATA section there. */
  get isForeign(): boolean {
    const { top } = this.#open;
    return top !== undefined && top.space >= SVG;
  }

  /**
   * Adds the element of a start tag and returns whether it is HTML. `name` is in lower case. `getAttributes`
   * returns the text of the tag's attributes in lower case; it matters for font and annotation-xml only.
   */
  startTag(name: string, isSelfClosing: boolean, getAttributes: () => string): boolean {
    if (!this.#isHtmlStart(name, getAttributes)) {
      if (!isSelfClosing) this.#pushForeign(name, this.#open.top!.space, getAttributes);
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

  /** Applies an end tag. `isOpenAround`: an element with this name is open outside all of them. */
  endTag(name: string, isOpenAround: boolean): void {
    if (name === 'template') {
      this.#closeTemplate();
      return;
    }
    if (this.isForeign && (name === 'p' || name === 'br')) this.#breakOut();
    if (this.#open.count(name) > 0 && this.#close(name)) return;
    if (isOpenAround && this.#isPlainForeign && !KEPT_OPEN.has(name)) this.#truncate(0);
  }

  /** Closes the innermost element with this name. Returns false if the tag may close an element outside. */
  #close(name: string): boolean {
    const isForeign = this.isForeign;
    for (let { depth } = this.#open; depth > 0; depth--) {
      const element = this.#open.at(depth);
      if (element.space === TEMPLATE) return true;
      if (element.name === name) {
        this.#truncate(depth - 1);
        return true;
      }
      if ((element.isHtmlPoint || element.isTextPoint) && !isForeign) return true;
    }
    return false;
  }

  /**
   * True if only SVG and MathML are open, without integration points: end tags reach the elements outside.
   */
  get #isPlainForeign(): boolean {
    return this.isForeign && this.#templates === 0 && this.#points === 0;
  }

  #isHtmlStart(name: string, getAttributes: () => string): boolean {
    const { top } = this.#open;
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
    let { depth } = this.#open;
    for (; depth > 0; depth--) {
      const { space, isHtmlPoint, isTextPoint } = this.#open.at(depth);
      if (space < SVG || isHtmlPoint || isTextPoint) break;
    }
    this.#truncate(depth);
  }

  #pushForeign(name: string, space: ForeignElement['space'], getAttributes: () => string): void {
    const isHtmlPoint =
      space === SVG
        ? SVG_POINTS.has(name)
        : name === 'annotation-xml' &&
          /\sencoding\s*=\s*["']?(?:text\/html|application\/xhtml\+xml)["'\s>/]/.test(getAttributes());
    this.#push({ space, name, isHtmlPoint, isTextPoint: space === MATH && MATH_TEXT_POINTS.has(name) });
  }

  #push(element: ForeignElement): void {
    if (this.#open.depth >= MAX_DEPTH) return;
    this.#open.open(element);
    this.#count(element, 1);
  }

  #closeTemplate(): void {
    if (this.#templates === 0) return;
    let { depth } = this.#open;
    while (this.#open.at(depth).space !== TEMPLATE) depth--;
    this.#truncate(depth - 1);
  }

  #truncate(depth: number): void {
    for (const element of this.#open.closeTo(depth)) this.#count(element, -1);
  }

  #count(element: ForeignElement, by: number): void {
    if (element.space === TEMPLATE) this.#templates += by;
    else if (element.space >= SVG) this.#foreign += by;
    if (element.isHtmlPoint || element.isTextPoint) this.#points += by;
  }
}
