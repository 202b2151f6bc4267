/**
 * Reads HTML as the WHATWG standard tokenizes it, without a DOM: tags, attributes, raw text and the stack of
 * open elements. Decodes nothing that is not asked for, and never changes a document.
 */
export { type Attributes, type ByteRange, parseAttributes } from './attributes.ts';
export { isSpace, skipTo } from './bytes.ts';
export { HtmlScanner } from './html-scanner.ts';
export type { HtmlSink, Tag } from './html-sink.ts';
export { TAG, type TagId } from './tag-names.ts';
