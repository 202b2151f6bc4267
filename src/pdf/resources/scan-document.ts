import { scanHtml, type HtmlToken } from '../html/scan-html.ts';
import { AmbiguousContent } from './ambiguous-content.ts';
import { scanAttributes, type HtmlAttribute } from '../html/scan-attributes.ts';
import { scanCss, type ScannedCss } from './scan-css.ts';
import { isInertHandler, isInertMeta, isInertScript, isNeverStatic, toHanLanguage } from './static-rules.ts';

/** A part of a document that loads something, and what is to be done with it. Offsets are UTF-16 units. */
export type DocumentPart =
  /** The URL of a style sheet or an image, in an attribute. */
  | { kind: 'stylesheet' | 'image'; start: number; end: number; url: string }
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
  /**
   * Its Japanese, Korean or Chinese language, in lower case; null without one. A renderer keeps one font for
   * each character, which the first language that uses the character selects.
   */
  hanLanguage: string | null;
}

/** A noscript element as it is where scripts are enabled: it shows nothing. */
const EMPTY_NOSCRIPT = '<noscript style="display:none!important"></noscript>';
/** Attributes in which some elements have the URL of an image. */
const IMAGE_ATTRIBUTES: Record<string, readonly string[]> = {
  img: ['src'],
  image: ['href', 'xlink:href', 'src'],
};
/** Elements of SVG that refer to others: outside the document, they would be loaded. */
const REFERRING = new Set(
  'use feimage pattern lineargradient radialgradient textpath filter mpath tref cursor'.split(' '),
);
const EXTERNAL_URL = /url\(\s*["']?(?![#"'\s]|data:)/i;
/** Start tags without any of this are passed over. */
const RELEVANT =
  /src|href|lang|background|url|style|\bon[a-z]|srcset|srcdoc|popover|autofocus|shadowrootmode|http-equiv|name|link|text|type|&|\\/i;

/**
 * Finds what a document loads. Returns null if it may have scripts, frames or anything else that needs a page
 * of its own.
 */
export function scanDocument(html: string, { javascript }: { javascript: boolean }): ScannedDocument | null {
  return new DocumentScan(html, javascript).run();
}

/**
 * Finds what a header or footer loads. What else it has does not run or load anything in a template, but may
 * leave state.
 */
export function scanTemplate(html: string): ScannedDocument {
  return new DocumentScan(html, false).scanAll();
}

class DocumentScan {
  readonly #html: string;
  readonly #javascript: boolean;
  readonly #result: ScannedDocument = {
    parts: [],
    base: null,
    isMoving: false,
    leavesState: false,
    needsUrl: false,
    hanLanguage: null,
  };
  #isDynamic = false;
  /** The start of the noscript element that the scan is in. */
  #noscriptStart: number | null = null;
  /** The template elements that the scan is in. */
  #openTemplates = 0;
  readonly #ambiguous: AmbiguousContent;

  constructor(html: string, javascript: boolean) {
    this.#html = html;
    this.#javascript = javascript;
    this.#ambiguous = new AmbiguousContent(html);
  }

  /** Returns null if the document needs a page of its own. */
  run(): ScannedDocument | null {
    for (const token of scanHtml(this.#html)) {
      this.#scanToken(token);
      if (this.#isDynamic) return null;
    }
    // Wherever it is: a miss would change the next document.
    this.#result.leavesState ||= /color-scheme/i.test(this.#html);
    return this.#noscriptStart === null ? this.#result : null;
  }

  scanAll(): ScannedDocument {
    for (const token of scanHtml(this.#html)) this.#scanToken(token);
    return { ...this.#result, leavesState: this.#result.leavesState || this.#isDynamic };
  }

  #scanToken(token: HtmlToken): void {
    if (this.#ambiguous.check(token)) this.#isDynamic = true;
    if (this.#noscriptStart !== null) this.#scanInNoscript(token, this.#noscriptStart);
    else if (this.#openTemplates > 0) this.#scanInTemplate(token);
    else if (token.kind === 'start') this.#scanStartTag(token);
    else if (token.kind === 'raw' && token.name === 'style')
      this.#addCss(token.start, token.end, this.#html.slice(token.start, token.end), false);
  }

  #scanInNoscript(token: HtmlToken, start: number): void {
    // With scripts it is text, which ends elsewhere if it has a comment or raw text.
    if (token.kind === 'comment' || token.kind === 'raw') this.#isDynamic = true;
    if (token.kind !== 'end' || token.name !== 'noscript') return;
    this.#result.parts.push({ kind: 'text', start, end: token.end, text: EMPTY_NOSCRIPT });
    this.#noscriptStart = null;
  }

  /** The content of a template is not shown, and loads nothing. */
  #scanInTemplate({ name, kind }: HtmlToken): void {
    if (name === 'template' && kind !== 'raw') this.#openTemplates += kind === 'start' ? 1 : -1;
  }

  #scanStartTag({ name, start, end }: HtmlToken): void {
    if (name === 'noscript' && this.#javascript) {
      this.#noscriptStart = start;
      return;
    }
    if (isNeverStatic(name)) this.#isDynamic = true;
    if (name === 'template') this.#openTemplates = 1;
    const source = this.#html.slice(start, end);
    if (name !== 'script' && !RELEVANT.test(source)) return;
    const attributes = scanAttributes(this.#html, start + 1 + name.length, end);
    this.#scanElement(name, attributes);
    for (const attribute of attributes) this.#scanAttribute(name, attribute);
  }

  #scanElement(name: string, attributes: readonly HtmlAttribute[]): void {
    const get = (attribute: string): string | undefined =>
      attributes.find((one) => one.name === attribute)?.value;
    if (name === 'script' && !isInertScript(get('type'))) this.#isDynamic = true;
    else if (name === 'base') this.#scanBase(get('href'));
    else if (name === 'meta') this.#scanMeta(get('http-equiv'), get('name'));
    else if (name === 'link') this.#scanLink(attributes, get);
    else if (name === 'style' && get('title') !== undefined) this.#result.leavesState = true;
    else if (name === 'input' && get('type')?.toLowerCase() === 'image') this.#isDynamic = true;
    else if (name === 'body' && attributes.some((one) => /^(?:text|[av]?link)$/.test(one.name)))
      this.#result.leavesState = true;
  }

  #scanBase(href: string | undefined): void {
    if (href === undefined || this.#result.base !== null) return;
    this.#result.base = href;
    if (!URL.canParse(href)) this.#result.needsUrl = true;
  }

  #scanMeta(equivalent: string | undefined, name: string | undefined): void {
    if (equivalent !== undefined && !isInertMeta(equivalent)) this.#isDynamic = true;
    if (name?.toLowerCase() === 'color-scheme') this.#result.leavesState = true;
  }

  #scanLink(attributes: readonly HtmlAttribute[], get: (attribute: string) => string | undefined): void {
    const relations = (get('rel') ?? '').toLowerCase().split(/\s+/);
    if (!relations.includes('stylesheet') || get('disabled') !== undefined) return;
    if (get('title') !== undefined) this.#result.leavesState = true;
    if (get('integrity') !== undefined) this.#isDynamic = true;
    const type = (get('type') ?? '').trim().toLowerCase();
    if (relations.includes('alternate') || (type !== '' && !type.startsWith('text/css'))) return;
    if ((get('media') ?? '').trim().toLowerCase() === 'screen') return;
    const href = attributes.find((one) => one.name === 'href');
    if (href) this.#addUrl('stylesheet', href);
  }

  #scanAttribute(element: string, attribute: HtmlAttribute): void {
    const { name, value } = attribute;
    if (name === 'style') this.#addStyleAttribute(attribute);
    else if (/^(?:xml:)?lang$/.test(name)) this.#addLanguage(toHanLanguage(value));
    else if (name === 'background' || IMAGE_ATTRIBUTES[element]?.includes(name))
      this.#addUrl('image', attribute);
    else if (/^(?:a|area)$/.test(element) && /^(?:xlink:)?href$/.test(name) && /^\s*#/.test(value))
      this.#result.needsUrl = true;
    else if (name.startsWith('on')) this.#isDynamic ||= this.#javascript && !isInertHandler(name);
    else if (/^(?:srcset|srcdoc|popover|autofocus|shadowrootmode)$/.test(name)) this.#isDynamic = true;
    else if (/^(?:xlink:)?href$/.test(name) && REFERRING.has(element))
      this.#isDynamic ||= !isInternal(value.trim());
    else if (EXTERNAL_URL.test(value) && scanCss(value).urls.some(({ url }) => !isInternal(url)))
      // fill, filter, mask … in SVG
      this.#isDynamic = true;
  }

  #addLanguage(language: string | null): void {
    if (language === null) return;
    this.#isDynamic ||= this.#result.hanLanguage !== null && this.#result.hanLanguage !== language;
    this.#result.hanLanguage = language;
  }

  #addUrl(kind: 'stylesheet' | 'image', { value, start, end }: HtmlAttribute): void {
    const url = value.trim();
    if (url !== '' && (kind === 'stylesheet' || !isInternal(url)))
      this.#result.parts.push({ kind, start, end, url });
  }

  #addStyleAttribute({ value, start, end }: HtmlAttribute): void {
    if (/[\\(]|animation|color-scheme/i.test(value)) this.#addCss(start, end, value, true);
  }

  #addCss(start: number, end: number, css: string, isAttribute: boolean): void {
    const scanned = scanCss(css);
    this.#isDynamic ||= scanned.isDynamic;
    this.#result.isMoving ||= scanned.isMoving;
    this.#result.leavesState ||= scanned.hasColorScheme;
    if (scanned.urls.length + scanned.fonts.length > 0)
      this.#result.parts.push({ kind: 'css', start, end, css, scanned, isAttribute });
  }
}

/** Checks whether a URL needs no request. */
export function isInternal(url: string): boolean {
  return url.startsWith('#') || /^data:/i.test(url);
}
