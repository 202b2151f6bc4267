/**
 * The gate of the static lane. A document passes if it runs nothing, and loads nothing but `<img src>`,
 * `background`, style sheets (`<link>`, `@import`) and the url()s of CSS, without conditions. Whatever is not
 * certain takes the warm lane: a miss costs time. Nothing here decides what Chromium would load or show.
 */
import { type HtmlAttribute, type HtmlToken, scanAttributes, scanHtml, trimSpaces } from '#html';
import { type ScannedCss, isMovingImage, scanCss } from './scan-css.ts';

/** A part of a document that loads something, and what is to be done with it. Offsets are UTF-16 units. */
export type DocumentPart =
  /** The URL of a style sheet, in an attribute; `integrity` is another attribute of its element. */
  | { kind: 'stylesheet'; start: number; end: number; url: string; integrity: string | null }
  /** The URL of an image, in an attribute. */
  | { kind: 'image'; start: number; end: number; url: string }
  /** A style element, or a style attribute (`isAttribute`), whose value is `css` after decoding. */
  | { kind: 'css'; start: number; end: number; css: string; scanned: ScannedCss; isAttribute: boolean }
  /** Source that is replaced by `text`. */
  | { kind: 'text'; start: number; end: number; text: string };

/** The resources of a document without scripts, and its effects on a page. */
export interface ScannedDocument {
  /** In document order, without overlaps. */
  parts: DocumentPart[];
  /** The value of the first base element; null without one. */
  base: string | null;
  /** It may have animations. */
  isMoving: boolean;
  /** It changes something that the next document of the page would inherit. */
  leavesState: boolean;
  /** Its URL matters: it has links to its own fragments, or a relative base URL. */
  needsUrl: boolean;
}

/** Elements that run, frame or play something, move, choose an image, or do not show their content. */
export const NEVER_STATIC = new Set(
  [
    'iframe frame frameset fencedframe object embed applet portal',
    'video audio canvas marquee picture template',
    'animate animatemotion animatetransform set',
  ].flatMap((names) => names.split(' ')),
);
/** Event handlers that only a user's action calls. */
const INERT_HANDLER =
  /^on(?:click|dblclick|auxclick|contextmenu|mouse\w+|pointer\w+|touch\w+|key\w+|drag\w*|drop|submit|reset|change|input|select|copy|cut|paste|wheel)$/;
/** `http-equiv` pragmas that change nothing. Others redirect, restrict or change this page or the next. */
export const INERT_META =
  /^(?:content-type|x-ua-compatible|cache-control|pragma|expires|last-modified|imagetoolbar|cleartype|content-(?:script|style)-type|reply-to|msthemecompatible)$/i;
/** The types of scripts that are blocks of data. */
const INERT_SCRIPT = /^application\/(?:ld\+)?json$/i;
/** Elements of SVG that refer to others: outside the document, they would be loaded. */
const REFERRING = new Set(
  'image use feimage pattern lineargradient radialgradient textpath filter mpath tref cursor'.split(' '),
);
/** Elements of which more matters than what attributes have in common. */
const NAMED = new Set('script base meta link style progress input body'.split(' '));
/** Start tags of all other elements without any of this are passed over. */
const RELEVANT = /src|href|style|background|url|\bon|autofocus|[&\\]/i;
/** The attributes that name an image, each on these elements only. */
const WITH_IMAGE = new Map([
  ['src', /^(?:img|image|input)$/],
  ['background', /^(?:body|table|thead|tbody|tfoot|tr|t[dh]|col|colgroup)$/],
]);
/** Elements with a syntax of their own (HTML standard §13.2.6.4.16 and §13.2.6.5). */
const FOREIGN = /^(?:svg|math|select)$/;
/** A srcset without candidates. An empty value without quotes would take in what follows. */
const NO_SRCSET = ',';

/** Finds what a document loads. Returns null if it needs the warm lane. */
export function scanDocument(html: string, { javascript }: { javascript: boolean }): ScannedDocument | null {
  const scan = new DocumentScan(html, { javascript, isTemplate: false });
  for (const token of scanHtml(html)) {
    scan.add(token);
    if (scan.isDynamic) return null;
  }
  return scan.finish();
}

/**
 * Finds what a header, footer or watermark loads, and the language that selects its fonts for Han characters.
 * What else it has does not run or load anything in a template, but may leave state.
 */
export function scanTemplate(html: string): { scanned: ScannedDocument; hanLanguage: string | null } {
  const scan = new DocumentScan(html, { javascript: false, isTemplate: true });
  for (const token of scanHtml(html)) scan.add(token);
  const languages = findHanLanguages(html);
  const scanned = scan.finish();
  scanned.leavesState ||= scan.isDynamic || languages === null || languages.length > 1;
  return { scanned, hanLanguage: languages?.[0] ?? null };
}

/** Checks whether a URL needs no request. */
export function isInternal(url: string): boolean {
  return url.startsWith('#') || /^data:/i.test(url);
}

const LANGUAGE = /(?<=[\s"'/:])lang\s*=\s*["']?\s*([^\s"'>]{1,40})/gi;
/** Chromium selects fonts for Han characters by these. */
const HAN_LANGUAGE = /^(?:ja|ko|zh)(?:-|$)|-(?:hans|hant|jpan|kore|hk|jp|kr|mo|tw)(?:-|$)/;
/** Other ways to set the language of text. */
const OTHER_LANGUAGE = /content-language|webkit-locale/i;

/**
 * Returns the Japanese, Korean and Chinese languages of a document, each once, in lower case; null if it may
 * have others that its source does not show. A renderer keeps one font for each Han character, which the
 * first language that uses the character selects.
 */
export function findHanLanguages(html: string): string[] | null {
  if (OTHER_LANGUAGE.test(html)) return null;
  const found = Array.from(html.matchAll(LANGUAGE), ([, language = '']) => language.toLowerCase());
  if (found.some((language) => language.includes('&'))) return null;
  return [...new Set(found.filter((language) => HAN_LANGUAGE.test(language)))];
}

function createGet(attributes: readonly HtmlAttribute[]): (name: string) => string | undefined {
  return (wanted) => attributes.find(({ name }) => name === wanted)?.value;
}

class DocumentScan {
  /** The document needs the warm lane. */
  isDynamic = false;
  readonly #html: string;
  readonly #javascript: boolean;
  /** In a template, link elements that load no style sheet are removed. */
  readonly #isTemplate: boolean;
  /** From the first foreign element on, some tokens may mean something else to the parser of a browser. */
  #isForeign = false;
  readonly #result: ScannedDocument = {
    parts: [],
    base: null,
    isMoving: false,
    leavesState: false,
    needsUrl: false,
  };

  constructor(html: string, options: { javascript: boolean; isTemplate: boolean }) {
    this.#html = html;
    this.#javascript = options.javascript;
    this.#isTemplate = options.isTemplate;
  }

  finish(): ScannedDocument {
    const result = this.#result;
    // Wherever it is: a miss would change the next document.
    result.leavesState ||= /color-scheme/i.test(this.#html);
    // An element may have its attributes in any order.
    result.parts.sort((one, other) => one.start - other.start);
    return result;
  }

  add(token: HtmlToken): void {
    const { kind, name, start, end } = token;
    // Most tokens.
    if (kind === 'text' || kind === 'end') return;
    if (this.#isForeign && this.#isAmbiguous(token)) this.isDynamic = true;
    if (kind === 'start') this.#addStartTag(token);
    else if (kind === 'raw' && name === 'style')
      this.#addCss(start, end, this.#html.slice(start, end), false);
  }

  #isAmbiguous({ kind, name, start, end }: HtmlToken): boolean {
    if (kind === 'start') return name === 'link';
    const source = this.#html.slice(start, end);
    if (kind === 'comment') return source.startsWith('<![');
    return kind === 'raw' && (source.includes('<') || (name === 'style' && source.includes('&')));
  }

  #addStartTag({ name, start, end }: HtmlToken): void {
    this.#isForeign ||= FOREIGN.test(name);
    // The static lane has no scripting: it would show the content.
    this.isDynamic ||= NEVER_STATIC.has(name) || (name === 'noscript' && this.#javascript);
    const isNamed = NAMED.has(name);
    if (!isNamed && end - start <= name.length + '<>'.length) return;
    if (!isNamed && !RELEVANT.test(this.#html.slice(start, end))) return;
    const attributes = scanAttributes(this.#html, start + 1 + name.length, end);
    const isLoaded = name !== 'link' || this.#addLink(attributes);
    // A renderer crashes if a template requests a style sheet.
    if (this.#isTemplate && !isLoaded) return this.#replace({ start, end }, '');
    if (isNamed) this.#addNamed(name, attributes);
    for (const attribute of attributes) this.#addAttribute(name, attribute);
  }

  #addNamed(name: string, attributes: readonly HtmlAttribute[]): void {
    const get = createGet(attributes);
    if (name === 'script') this.isDynamic ||= !INERT_SCRIPT.test(trimSpaces(get('type') ?? ''));
    else if (name === 'base') this.#addBase(get('href'));
    else if (name === 'meta') {
      this.isDynamic ||= !INERT_META.test(get('http-equiv')?.trim() ?? 'pragma');
      this.#result.leavesState ||= get('name')?.toLowerCase() === 'color-scheme';
    } else if (name === 'style') this.#result.leavesState ||= get('title') !== undefined;
    else if (name === 'progress') this.isDynamic ||= get('value') === undefined;
    // It is drawn before it knows that it has no image, or later, as time permits.
    else if (name === 'input') this.isDynamic ||= get('type')?.toLowerCase() === 'image';
    else if (name === 'body')
      this.#result.leavesState ||= attributes.some((one) => /^(?:text|[av]?link)$/.test(one.name));
  }

  #addBase(href: string | undefined): void {
    if (href === undefined || this.#result.base !== null) return;
    this.#result.base = href;
    if (!URL.canParse(href)) this.#result.needsUrl = true;
    // A browser does not use any other.
    this.isDynamic ||= !/^https?:$/.test(URL.parse(href, 'http://document.invalid')?.protocol ?? '');
  }

  /** Returns false if the element loads no style sheet. */
  #addLink(attributes: readonly HtmlAttribute[]): boolean {
    const get = createGet(attributes);
    const relations = (get('rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/);
    const href = attributes.find(({ name }) => name === 'href');
    if (!relations.includes('stylesheet') || href === undefined) return false;
    const isCss = /^(?:text\/css)?$/i.test(trimSpaces(get('type') ?? ''));
    const isUsed = isCss && !relations.includes('alternate') && get('disabled') === undefined;
    const integrity = attributes.find(({ name }) => name === 'integrity');
    // Without `crossorigin`, a browser refuses a file of another origin.
    const isReadable = integrity === undefined || get('crossorigin') !== undefined;
    const isForPrint = /^(?:all|print)?$/i.test(trimSpaces(get('media') ?? ''));
    this.isDynamic ||= !isUsed || !isReadable || !isForPrint || get('title') !== undefined;
    const url = trimSpaces(href.value);
    if (!isUsed || url === '') return false;
    const { start, end } = href;
    this.#result.parts.push({ kind: 'stylesheet', start, end, url, integrity: integrity?.value ?? null });
    // The service checks it, before it replaces the URLs of the style sheet.
    if (integrity) this.#replace(integrity, 'none');
    return true;
  }

  #addAttribute(element: string, attribute: HtmlAttribute): void {
    const { name, value, start, end } = attribute;
    if (name === 'style') {
      if (/[\\(]|animation|color-scheme/i.test(value)) this.#addCss(start, end, value, true);
    } else if (name.startsWith('on')) this.isDynamic ||= this.#javascript && !INERT_HANDLER.test(name);
    else if (name === 'autofocus') this.isDynamic = true;
    else if (name === 'srcset') {
      this.isDynamic = true;
      if (value !== '') this.#replace(attribute, NO_SRCSET);
    } else if (WITH_IMAGE.get(name)?.test(element)) this.#addImage(element, attribute);
    else if (/^(?:xlink:)?href$/.test(name)) this.#addReference(element, attribute);
    else if (/url\(|\\/i.test(value)) {
      // fill, filter, mask … in SVG
      const scanned = scanCss(value);
      this.isDynamic ||= scanned.isDynamic || scanned.urls.some(({ url }) => !isInternal(url));
    }
  }

  #addImage(element: string, attribute: HtmlAttribute): void {
    const { value, start, end } = attribute;
    const url = trimSpaces(value);
    this.isDynamic ||= isMovingImage(url);
    if (url === '' || isInternal(url)) return;
    this.isDynamic ||= element !== 'img' && attribute.name !== 'background';
    this.#result.parts.push({ kind: 'image', start, end, url });
  }

  #addReference(element: string, attribute: HtmlAttribute): void {
    const url = trimSpaces(attribute.value);
    if (element === 'a' || element === 'area') this.#result.needsUrl ||= url.startsWith('#');
    else if (element === 'image') this.#addImage(element, attribute);
    else this.isDynamic ||= REFERRING.has(element) && !isInternal(url);
  }

  #replace({ start, end }: Pick<HtmlAttribute, 'start' | 'end'>, text: string): void {
    this.#result.parts.push({ kind: 'text', start, end, text });
  }

  #addCss(start: number, end: number, css: string, isAttribute: boolean): void {
    const scanned = scanCss(css);
    this.isDynamic ||= scanned.isDynamic;
    this.#result.isMoving ||= scanned.isMoving;
    this.#result.leavesState ||= scanned.hasColorScheme;
    if (scanned.urls.length > 0)
      this.#result.parts.push({ kind: 'css', start, end, css, scanned, isAttribute });
  }
}
