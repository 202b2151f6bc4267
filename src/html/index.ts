/**
 * Reads HTML as the WHATWG standard tokenizes it, without a DOM. HtmlScanner reads the bytes of a page as
 * they arrive, scanHtml a document that is a string. Both decode only what their caller asks for.
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
