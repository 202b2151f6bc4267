/**
 * What was found in one page, as positions in its bytes: the titles, metas and links that count, in document order.
 * Decides too where the description of a page is complete: its title seen, and 4 KB past its head without another meta or link.
 */
import { parseCharsetLabel } from '../charset/parse-charset-label.ts';
import { type Attributes, type ByteRange, isSpace, readAttributes } from '../html/attributes.ts';
import { HtmlScanner, type HtmlSink, type Tag } from '../html/html-scanner.ts';
import { TAG, type TagId } from '../html/tag-names.ts';
import { decodeReferences } from './text.ts';

const EMPTY = Buffer.alloc(0);
/** Bytes past the head, or past the last meta or link, in which another would have come: 1 of 279 real pages has a later one. */
const QUIET_BYTES = 4_096;
/** The same where the page never says where its head ends. */
const QUIET_BYTES_WITHOUT_HEAD = 65_536;
/** Metas and links past so many are not looked at: no real page has them. */
const MAX_TAGS = 1_000;
const MAX_TITLES = 50;
const MAX_JSON_LD_BYTES = 100_000;
const MAX_JSON_LD_BLOCKS = 50;

/** A meta under one of its keys, lower case. `late`: past the point where the description was complete. */
export interface FoundMeta {
  key: string;
  content: ByteRange;
  late: boolean;
}

export interface FoundLink {
  /** The tokens of its rel, lower case. */
  rel: string[];
  attributes: Attributes;
  late: boolean;
}

export interface PageTagsOptions {
  /** Go on to the end of the page, for its details. */
  details: boolean;
  isXml: boolean;
  /** Whether the charset is already settled by a BOM or a header. */
  isCharsetKnown: boolean;
  /** Whether a description can be complete before the page's end. */
  stopsEarly: boolean;
}

export class PageTags implements HtmlSink {
  readonly metas: FoundMeta[] = [];
  readonly links: FoundLink[] = [];
  readonly titles: ByteRange[] = [];
  readonly jsonLd: ByteRange[] = [];
  language: ByteRange | null = null;
  xmlLanguage: ByteRange | null = null;
  base: ByteRange | null = null;
  refresh: ByteRange | null = null;
  /** The encoding that the first meta to name one names. */
  charset: string | null = null;
  hasHtmlRoot = false;
  #bytes: Buffer = EMPTY;
  #options: PageTagsOptions;
  #scanner: HtmlScanner;
  #headEnd = -1;
  #lastTag = 0;
  #titleEnd = -1;
  #metaCount = 0;
  #linkCount = 0;
  #jsonLdBytes = 0;
  #inNoscript = false;
  #isJsonLd = false;

  constructor(options: PageTagsOptions) {
    this.#options = options;
    this.#scanner = new HtmlScanner(this, options.isXml);
  }

  /** Goes on with the page's first `end` bytes; false when no more are needed. */
  scan(bytes: Buffer, end: number): boolean {
    this.#bytes = bytes;
    return this.#scanner.scan(bytes, end) && (this.#options.details || this.#scanner.settled < this.quietAt);
  }

  finish(): void {
    this.#scanner.finish();
  }

  /** The position from which on nothing changes the description; Infinity until the title and the end of the head are known. */
  get quietAt(): number {
    if (this.#titleEnd < 0 || !this.#options.stopsEarly) return Infinity;
    const seen = Math.max(this.#lastTag, this.#titleEnd);
    if (this.#headEnd >= 0) return Math.max(seen, this.#headEnd) + QUIET_BYTES;
    const bodyStart = this.#scanner.bodyStart;
    return bodyStart < 0 ? Infinity : Math.max(seen, bodyStart) + QUIET_BYTES_WITHOUT_HEAD;
  }

  get isXml(): boolean {
    return this.#options.isXml;
  }

  /** Whether the page's head has been read to its end. */
  get isHeadRead(): boolean {
    return this.#headEnd >= 0 || this.#scanner.bodyStart >= 0;
  }

  get isTitleRead(): boolean {
    return this.#titleEnd >= 0;
  }

  /** Whether the first element is known not to be `<html>`. */
  get hasOtherRoot(): boolean {
    return !this.hasHtmlRoot && this.#scanner.bodyStart >= 0;
  }

  startTag(tag: Tag): boolean {
    const late = tag.start >= this.quietAt;
    if (late && !this.#options.details) return false;
    if (tag.id === TAG.meta) return this.#metaTag(tag, late);
    if (tag.id === TAG.link) this.#linkTag(tag, late);
    else if (tag.id === TAG.html && !late) this.#htmlTag(tag);
    else if (tag.id === TAG.base && !late) this.base ??= this.#attributes(tag).get('href') ?? null;
    else if (tag.id === TAG.script) this.#isJsonLd = this.#options.details && this.#isJsonLdScript(tag);
    else if (tag.id === TAG.body && this.#headEnd < 0) this.#headEnd = tag.start;
    if (tag.id === TAG.noscript) this.#inNoscript = true;
    // In a head, noscript holds metas, links and styles only: anything else ends it (WHATWG HTML §13.2.6.4.5).
    else if (tag.id !== TAG.link && tag.id !== TAG.style && tag.id !== TAG.noframes)
      this.#inNoscript &&= this.isHeadRead;
    return true;
  }

  endTag(tag: Tag): boolean {
    if (tag.id === TAG.noscript) this.#inNoscript = false;
    if (tag.id === TAG.head && this.#headEnd < 0) this.#headEnd = tag.end;
    return true;
  }

  dropSince(start: number): void {
    dropFrom(this.titles, (title) => title.start >= start);
    dropFrom(this.metas, (meta) => meta.content.start >= start);
    dropFrom(this.links, (link) => link.attributes.get('href')!.start >= start);
    dropFrom(this.jsonLd, (block) => block.start >= start);
  }

  text(id: TagId, start: number, end: number): boolean {
    if (id === TAG.title) return this.#title(start, end);
    if (this.#isJsonLd && this.jsonLd.length < MAX_JSON_LD_BLOCKS) {
      const bytes = this.#jsonLdBytes + end - start;
      // A block that is too large leaves room for the smaller ones after it.
      if (bytes <= MAX_JSON_LD_BYTES) {
        this.#jsonLdBytes = bytes;
        this.jsonLd.push({ start, end });
      }
    }
    return true;
  }

  #title(start: number, end: number): boolean {
    if (start >= this.quietAt) return this.#options.details;
    if (this.titles.length < MAX_TITLES) this.titles.push({ start, end });
    if (this.#titleEnd < 0 && !this.#isBlank(start, end)) this.#titleEnd = end;
    return true;
  }

  #metaTag(tag: Tag, late: boolean): boolean {
    if (++this.#metaCount > MAX_TAGS) return true;
    const attributes = this.#attributes(tag);
    if (!late) {
      this.#lastTag = tag.end;
      this.#pragma(attributes);
      // Its bytes cannot be compared as ASCII: the reader starts again with the text.
      if (this.charset === 'iso-2022-jp' && !this.#options.isCharsetKnown) return false;
    }
    const content = attributes.get('content');
    if (content === undefined) return true;
    const name = this.#key(attributes.get('name'));
    if (name !== '') this.metas.push({ key: name, content, late });
    // Each key once: a list that repeats one would multiply the work on its content.
    for (const key of new Set(this.#key(attributes.get('property')).split(/[\t\n\f\r ]+/))) {
      if (key !== '' && key !== name) this.metas.push({ key, content, late });
    }
    return true;
  }

  /** What a meta says in place of a header. */
  #pragma(attributes: Attributes): void {
    const charset = attributes.get('charset');
    if (charset !== undefined) this.charset ??= readMetaCharset(this.#word(charset));
    const pragma = attributes.get('http-equiv');
    const content = attributes.get('content');
    if (pragma === undefined || content === undefined) return;
    const name = this.#key(pragma);
    if (name === 'content-type') {
      const match = /charset\s*=\s*("[^"]*"|'[^']*'|[^\s;"']+)/i.exec(this.#word(content));
      if (match !== null) this.charset ??= readMetaCharset(match[1]!);
    } else if (name === 'content-language') {
      this.metas.push({ key: 'content-language', content, late: false });
    } else if (name === 'refresh' && !this.#inNoscript) {
      this.refresh ??= content;
    }
  }

  #linkTag(tag: Tag, late: boolean): void {
    if (++this.#linkCount > MAX_TAGS) return;
    if (!late) this.#lastTag = tag.end;
    const attributes = this.#attributes(tag);
    if (!attributes.has('href')) return;
    const rel = this.#key(attributes.get('rel')).split(/[\t\n\f\r ]+/);
    if (rel[0] !== '') this.links.push({ rel, attributes, late });
  }

  /** Of several html tags, each adds the attributes that were missing (WHATWG HTML §13.2.6.4.7). */
  #htmlTag(tag: Tag): void {
    // One inside another root, like that of a feed, is quoted there.
    this.hasHtmlRoot ||= this.#scanner.bodyStart < 0;
    const attributes = this.#attributes(tag);
    this.language ??= attributes.get('lang') ?? null;
    this.xmlLanguage ??= attributes.get('xml:lang') ?? null;
  }

  #isJsonLdScript(tag: Tag): boolean {
    const type = this.#key(this.#attributes(tag).get('type'));
    return type === 'application/ld+json' || type.startsWith('application/ld+json;');
  }

  #attributes(tag: Tag): Attributes {
    return readAttributes(this.#bytes, tag.nameEnd, tag.end);
  }

  /** A short value that is compared: lower case, trimmed. */
  #key(range: ByteRange | undefined): string {
    if (range === undefined || range.end - range.start > 200) return '';
    return this.#word(range).trim().toLowerCase();
  }

  /** A value of ASCII words, its character references decoded. */
  #word(range: ByteRange): string {
    const end = Math.min(range.end, range.start + 1_000);
    return decodeReferences(this.#bytes.toString('latin1', range.start, end), 'attribute');
  }

  #isBlank(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (!isSpace(this.#bytes[at]!)) return false;
    return true;
  }
}

function dropFrom<T>(list: T[], isLate: (item: T) => boolean): void {
  const at = list.findIndex(isLate);
  if (at >= 0) list.length = at;
}

/** A label in markup that was readable as ASCII (WHATWG HTML §13.2.3.2: UTF-16 means UTF-8 there, x-user-defined windows-1252). */
function readMetaCharset(label: string): string | null {
  const charset = parseCharsetLabel(label);
  if (charset?.startsWith('utf-16') === true) return 'utf-8';
  return charset === 'x-user-defined' ? 'windows-1252' : charset;
}
