import type { Attributes, ByteRange } from '#html';

/** A meta under one of its keys. */
export interface FoundMeta {
  /** In lower case. */
  key: string;
  content: ByteRange;
  /** True if it comes after the stop point: only the details use it, and fields without another value. */
  isLate: boolean;
}

export interface FoundLink {
  /** The tokens of its rel, in lower case. */
  rel: string[];
  /** `href` is among them. */
  attributes: Attributes;
  isLate: boolean;
}
