import type { HtmlAttribute } from '#html';
import type { ScannedCss } from './scan-css.ts';

/** A part of a document that loads something, and what is to be done with it. Offsets are UTF-16 units. */
export type DocumentPart =
  /** The URL of a style sheet, in an attribute; `integrity` is another attribute of its element. */
  | { kind: 'stylesheet'; start: number; end: number; url: string; integrity: string | null }
  /** The URL of an image, in an attribute. */
  | { kind: 'image'; start: number; end: number; url: string }
  /** A srcset attribute, of which one candidate is left. */
  | { kind: 'srcset'; start: number; end: number; url: string; descriptor: string }
  /** A style element, or a style attribute (`isAttribute`), whose value is `css` after decoding. */
  | { kind: 'css'; start: number; end: number; css: string; scanned: ScannedCss; isAttribute: boolean }
  /** Source that is replaced by `text`. */
  | { kind: 'text'; start: number; end: number; text: string };

/** The resources of a document without scripts, and its effects on a page. */
export interface ScannedDocument {
  /** In document order, without overlaps. */
  parts: DocumentPart[];
  /** The URLs of images that a browser does not select, unless it has them already. */
  rejectedImages: string[];
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

/** A start tag with its attributes. */
export interface ScannedElement {
  name: string;
  attributes: readonly HtmlAttribute[];
}

export function findAttribute({ attributes }: ScannedElement, name: string): HtmlAttribute | undefined {
  return attributes.find((one) => one.name === name);
}

/** Checks whether a URL needs no request. */
export function isInternal(url: string): boolean {
  return url.startsWith('#') || /^data:/i.test(url);
}
