/**
 * Reads HTML as the WHATWG standard tokenizes it, without a DOM: HtmlScanner the bytes of pages as they
 * arrive, scanHtml the string of a document. Neither decodes what is not asked for, or changes a document.
 */
export { type Attributes, type ByteRange, parseAttributes } from './attributes.ts';
export { isSpace, skipTo } from './bytes.ts';
export { HEAD_ELEMENTS, VOID_ELEMENTS } from './tag-names.ts';
export { HtmlScanner } from './html-scanner.ts';
export type { HtmlSink, Tag } from './html-scanner.ts';
export { OpenElements, formatEndTags } from './open-elements.ts';
export { escapeAttribute, escapeText, trimSpaces } from './html-tokens.ts';
export { type HtmlAttribute, type HtmlToken, scanAttributes, scanHtml } from './html-tokens.ts';
export { TAG, type TagId } from './tag-names.ts';
