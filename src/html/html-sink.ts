/** The interface between the scanner and the code that collects its tags. */
import type { TagId } from './tag-names.ts';

/** A tag of the document, as positions in its bytes. */
export interface Tag {
  id: TagId;
  /** Its `<`. */
  start: number;
  /** The byte after its name. */
  nameEnd: number;
  /** The byte after its `>`. */
  end: number;
}

/**
 * Receives tags and texts in document order, without those in comments, scripts, templates, SVG and MathML. A
 * method that returns false stops the scan.
 */
export interface HtmlSink {
  onStartTag(tag: Tag): boolean;
  onEndTag(tag: Tag): boolean;
  /** Receives the content of a title or script: [start, end). */
  onText(id: TagId, start: number, end: number): boolean;
  /** Withdraws everything that was received from position `start` on. */
  discardFrom(start: number): void;
}
