import {
  type HtmlToken,
  OpenElements,
  VOID_ELEMENTS,
  escapeText,
  formatEndTags,
  scanAttributes,
  scanHtml,
} from '#html';

/** Elements that the end tag of the element around them closes. */
const IMPLIED = new Set(
  'p li dt dd option optgroup rb rt rtc rp caption colgroup thead tbody tfoot tr td th'.split(' '),
);
/** Elements whose end tag closes nothing else: the parser moves or keeps what is open in them. */
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label map mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
);
/** The elements whose content is not HTML, and those in them whose content is. */
const FOREIGN = new Set(['svg', 'math']);
const INTEGRATION = new Set(['foreignobject', 'desc', 'annotation-xml', 'mtext', 'mi', 'mo', 'mn', 'ms']);

/** An open element of a balanced template. */
interface OpenTag {
  name: string;
  /** Its content is SVG or MathML. */
  isForeign: boolean;
}

/**
 * Formats the end tags that a parser needs to leave nothing open: `<b><div></b>` leaves the div open, and
 * `<div><b></div>` makes all that follows bold.
 */
function formatNeededEndTags(elements: readonly OpenTag[], { isInline }: { isInline: boolean }): string {
  return formatEndTags(elements.filter(({ name }) => isInline || !IMPLIED.has(name)));
}

/** The values of the elements that are filled for each page. */
interface SheetValues {
  page: number;
  pages: number;
  title: string;
}

type Value = keyof SheetValues;

/** A template in pieces, which closes all that it opens and may be repeated in one document. */
export interface SealedTemplate {
  /** Its style elements: a document needs them once. */
  styles: string;
  /** Its other content: HTML, and the values between it. */
  pieces: readonly (string | { value: Value })[];
}

/** The classes of the elements that Chromium fills in a header or a footer. */
const VALUES = new Map<string, Value>([
  ['pageNumber', 'page'],
  ['totalPages', 'pages'],
  ['title', 'title'],
]);

/** Seals a balanced template. */
export function sealTemplate(html: string): SealedTemplate {
  const sealing = new Sealing(html);
  for (const token of scanHtml(html)) sealing.add(token);
  return sealing.end();
}

/** Formats the content of a template for one page. */
export function formatPieces({ pieces }: SealedTemplate, values: SheetValues): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : escapeText(String(values[piece.value]))))
    .join('');
}

/** Checks whether a template differs from page to page. */
export function hasPageNumber({ pieces }: SealedTemplate): boolean {
  return pieces.some((piece) => typeof piece !== 'string' && piece.value === 'page');
}

class Sealing {
  readonly #html: string;
  readonly #open = new OpenElements<OpenTag>();
  readonly #pieces: (string | { value: Value })[] = [];
  #text = '';
  #styles = '';
  /** The number of open elements up to the one whose content is replaced; 0 outside. */
  #replacedDepth = 0;

  constructor(html: string) {
    this.#html = html;
  }

  add(token: HtmlToken): void {
    const source = this.#html.slice(token.start, token.end);
    if (isStyle(token)) this.#styles += source;
    else if (token.kind === 'start') this.#start(token, source);
    else if (token.kind === 'end') this.#end(token.name, source);
    else if (this.#replacedDepth === 0) this.#text += source;
  }

  end(): SealedTemplate {
    this.#replacedDepth = 0;
    this.#text += formatNeededEndTags(this.#open.closeTo(0), { isInline: false });
    this.#flush();
    return { styles: this.#styles, pieces: this.#pieces };
  }

  #start({ name, start, end }: HtmlToken, source: string): void {
    if (this.#replacedDepth === 0) this.#text += source;
    if (!this.#openElement(name, source) || this.#replacedDepth > 0) return;
    const value = findValue(this.#html, { name, start, end });
    if (value === null) return;
    this.#flush();
    this.#pieces.push({ value });
    this.#replacedDepth = this.#open.depth;
  }

  #end(name: string, source: string): void {
    const closed = this.#open.close(name);
    if (closed === null || (this.#open.depth >= this.#replacedDepth && this.#replacedDepth > 0)) return;
    // The end tags inside the replaced element belong to what it replaces.
    if (this.#replacedDepth === 0)
      this.#text += formatNeededEndTags(closed.slice(0, -1), { isInline: INLINE.has(name) });
    this.#text += source;
    this.#replacedDepth = 0;
  }

  /** Opens the element of a start tag. Returns false if it has no content. */
  #openElement(name: string, source: string): boolean {
    const isForeign = FOREIGN.has(name) || this.#open.top?.isForeign === true;
    if (VOID_ELEMENTS.has(name) || (isForeign && source.endsWith('/>'))) return false;
    this.#open.open({ name, isForeign: isForeign && !INTEGRATION.has(name) });
    return true;
  }

  #flush(): void {
    if (this.#text !== '') this.#pieces.push(this.#text);
    this.#text = '';
  }
}

function isStyle({ kind, name }: HtmlToken): boolean {
  return (kind !== 'text' && name === 'style') || (kind === 'start' && name === 'link');
}

function findValue(html: string, { name, start, end }: Omit<HtmlToken, 'kind'>): Value | null {
  const classes = scanAttributes(html, start + 1 + name.length, end).find(
    (attribute) => attribute.name === 'class',
  );
  for (const one of classes?.value.split(/\s+/) ?? []) {
    const value = VALUES.get(one);
    if (value !== undefined) return value;
  }
  return null;
}
