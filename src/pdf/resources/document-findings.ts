import { type HtmlAttribute, trimSpaces } from '#html';
import { type DocumentPart, type ScannedDocument, isInternal } from './scanned-document.ts';
import { scanCss } from './scan-css.ts';

/** An `integrity` without a hash: the style sheet is checked before its URLs are replaced. */
const NO_INTEGRITY = 'none';

/** The result of a scan so far. */
export class DocumentFindings {
  /** The document needs a page of its own. */
  isDynamic = false;
  /** A link asks for an image before an element does: the browser may have it already. */
  preloadsImage = false;
  readonly result: ScannedDocument = {
    parts: [],
    rejectedImages: [],
    base: null,
    isMoving: false,
    leavesState: false,
    needsUrl: false,
    hanLanguage: null,
  };

  /** Returns what was found. An element may have its attributes in any order. */
  finish(): ScannedDocument {
    this.result.parts.sort((one, other) => one.start - other.start);
    return this.result;
  }

  addPart(part: DocumentPart): void {
    this.result.parts.push(part);
  }

  addText({ start, end }: HtmlAttribute, text: string): void {
    this.addPart({ kind: 'text', start, end, text });
  }

  addStyleSheet({ value, start, end }: HtmlAttribute, integrity: HtmlAttribute | undefined): void {
    const url = trimSpaces(value);
    if (url === '') return;
    this.addPart({ kind: 'stylesheet', start, end, url, integrity: integrity?.value ?? null });
    if (integrity) this.addText(integrity, NO_INTEGRITY);
  }

  addImage({ value, start, end }: HtmlAttribute): void {
    const url = trimSpaces(value);
    if (url !== '' && !isInternal(url)) this.addPart({ kind: 'image', start, end, url });
  }

  /** Leaves one candidate of a srcset attribute. */
  addSrcset({ start, end }: HtmlAttribute, { url, descriptor }: { url: string; descriptor: string }): void {
    this.isDynamic ||= url.startsWith('#');
    this.addPart({ kind: 'srcset', start, end, url, descriptor });
  }

  addStyleAttribute({ value, start, end }: HtmlAttribute): void {
    if (/[\\(]|animation|color-scheme/i.test(value)) this.addCss(start, end, value, true);
  }

  addCss(start: number, end: number, css: string, isAttribute: boolean): void {
    const scanned = scanCss(css);
    this.isDynamic ||= scanned.isDynamic;
    this.result.isMoving ||= scanned.isMoving;
    this.result.leavesState ||= scanned.hasColorScheme;
    if (scanned.urls.length + scanned.fonts.length > 0)
      this.addPart({ kind: 'css', start, end, css, scanned, isAttribute });
  }

  addLanguage(language: string | null): void {
    if (language === null) return;
    this.isDynamic ||= this.result.hanLanguage !== null && this.result.hanLanguage !== language;
    this.result.hanLanguage = language;
  }
}
