import { type HtmlToken, scanAttributes, scanHtml } from '#html';
import { AmbiguousContent, isNeverStatic } from './static-rules.ts';
import { DocumentFindings } from './document-findings.ts';
import { scanElement } from './scan-element.ts';
import { PictureScan } from './pictures/picture-scan.ts';
import type { ScannedDocument } from './scanned-document.ts';

/** Start tags that may load nothing, or something else, in SVG, MathML and select elements. */
const UNCERTAIN_INSIDE = /^<(?:picture|link)|srcset|^<input[^]*image/i;
/** A noscript element as it is where scripts are enabled: it shows nothing. */
const EMPTY_NOSCRIPT = '<noscript style="display:none!important"></noscript>';
/** Elements that matter also without attributes. */
const RELEVANT_ALONE = /^(?:script|img|progress)$/;
/** Start tags without any of this are passed over. */
const RELEVANT =
  /^<(?:script|img|progress)|src|href|lang|background|url|style|\bon[a-z]|autofocus|shadowrootmode|http-equiv|name|link|text|type|&|\\/i;

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

/** Follows the tokens of a document into and out of the elements whose content is not shown. */
class DocumentScan {
  readonly #html: string;
  readonly #javascript: boolean;
  readonly #findings = new DocumentFindings();
  readonly #pictures: PictureScan;
  /** The start of the noscript element that the scan is in. */
  #noscriptStart: number | null = null;
  /** The template elements that the scan is in. */
  #openTemplates = 0;
  readonly #ambiguous: AmbiguousContent;

  constructor(html: string, javascript: boolean) {
    this.#html = html;
    this.#javascript = javascript;
    this.#pictures = new PictureScan(html, this.#findings);
    this.#ambiguous = new AmbiguousContent(html);
  }

  /** Returns null if the document needs a page of its own. */
  run(): ScannedDocument | null {
    for (const token of scanHtml(this.#html)) {
      this.#scanToken(token);
      if (this.#findings.isDynamic) return null;
    }
    if (this.#noscriptStart !== null) return null;
    const result = this.#findings.finish();
    if (this.#findings.preloadsImage && result.rejectedImages.length > 0) return null;
    // Wherever it is: a miss would change the next document.
    result.leavesState ||= /color-scheme/i.test(this.#html);
    return result;
  }

  scanAll(): ScannedDocument {
    for (const token of scanHtml(this.#html)) this.#scanToken(token);
    const result = this.#findings.finish();
    result.leavesState ||= this.#findings.isDynamic;
    return result;
  }

  /** The scan is in an element whose text and end tags matter. */
  get #isInside(): boolean {
    const isHidden = this.#noscriptStart !== null || this.#openTemplates > 0;
    return isHidden || this.#ambiguous.isInside || this.#pictures.isInside;
  }

  #scanToken(token: HtmlToken): void {
    const { kind, name, start, end } = token;
    // Most tokens.
    if ((kind === 'text' || kind === 'end') && !this.#isInside) return;
    if (this.#ambiguous.check(token)) this.#findings.isDynamic = true;
    if (this.#noscriptStart !== null) return this.#scanInNoscript(token, this.#noscriptStart);
    if (this.#openTemplates > 0) return this.#scanInTemplate(token);
    this.#pictures.checkToken(token);
    if (kind === 'start') this.#scanStartTag(token);
    else if (kind === 'raw' && name === 'style')
      this.#findings.addCss(start, end, this.#html.slice(start, end), false);
  }

  #scanInNoscript(token: HtmlToken, start: number): void {
    // With scripts it is text, which ends elsewhere if it has a comment or raw text.
    if (token.kind === 'comment' || token.kind === 'raw') this.#findings.isDynamic = true;
    if (token.kind !== 'end' || token.name !== 'noscript') return;
    this.#findings.addPart({ kind: 'text', start, end: token.end, text: EMPTY_NOSCRIPT });
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
    if (isNeverStatic(name)) this.#findings.isDynamic = true;
    if (name === 'template') this.#openTemplates = 1;
    const hasAttributes = end - start > name.length + '<>'.length;
    if (!hasAttributes && !this.#ambiguous.isInside && !RELEVANT_ALONE.test(name)) return;
    const source = this.#html.slice(start, end);
    // Where the parser may drop an image or give it another parent.
    if (this.#ambiguous.isInside && UNCERTAIN_INSIDE.test(source)) this.#findings.isDynamic = true;
    if (!RELEVANT.test(source)) return;
    const element = { name, attributes: scanAttributes(this.#html, start + 1 + name.length, end) };
    scanElement(element, this.#findings, { javascript: this.#javascript });
    if (name === 'img') this.#pictures.addImage(element);
    else if (name === 'source') this.#pictures.addSource(element);
  }
}
