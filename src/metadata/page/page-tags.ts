/** The titles, metas, links and JSON-LD of one page, in document order, as positions in its bytes. */
import {
  type Attributes,
  type ByteRange,
  HtmlScanner,
  type HtmlSink,
  TAG,
  type Tag,
  type TagId,
  isSpace,
  parseAttributes,
} from '#html';
import { parseMetaCharset, parsePragmaCharset } from '../charset/parse-charset-label.ts';
import { decodeKey, decodeWord } from './text.ts';

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

const EMPTY = Buffer.alloc(0);
/** Further metas and links are ignored: no real page has more. */
const MAX_TAGS = 1_000;
const MAX_TITLES = 50;
/** ASCII whitespace, which separates the keys of an attribute (WHATWG HTML §2.3.7). */
const SPACE = /[\t\n\f\r ]/;
const SPACES = /[\t\n\f\r ]+/;

interface PageTagsOptions {
  /** Scan to the end of the page, for its details. */
  details: boolean;
  isXml: boolean;
  /** True if a byte-order mark or a header has settled the charset. */
  isCharsetKnown: boolean;
  /** True if the scan may stop before the page's end. */
  stopsEarly: boolean;
}

export class PageTags implements HtmlSink {
  readonly metas: FoundMeta[] = [];
  readonly links: FoundLink[] = [];
  readonly titles: ByteRange[] = [];
  readonly jsonLd = new JsonLdBlocks();
  language: ByteRange | null = null;
  xmlLanguage: ByteRange | null = null;
  base: ByteRange | null = null;
  refresh: ByteRange | null = null;
  /** The encoding of the first meta that declares one. */
  charset: string | null = null;
  hasHtmlRoot = false;
  readonly isXml: boolean;
  #bytes: Buffer = EMPTY;
  #details: boolean;
  #isCharsetKnown: boolean;
  #scanner: HtmlScanner;
  #stopPoint: StopPoint;
  #metaCount = 0;
  #linkCount = 0;
  #isInNoscript = false;
  #isInJsonLd = false;

  constructor(options: PageTagsOptions) {
    this.isXml = options.isXml;
    this.#details = options.details;
    this.#isCharsetKnown = options.isCharsetKnown;
    this.#scanner = new HtmlScanner(this, options.isXml);
    this.#stopPoint = new StopPoint(options.stopsEarly);
  }

  /** Scans on to `end`. `bytes` holds the page from its start. Returns whether more bytes are needed. */
  scan(bytes: Buffer, end: number): boolean {
    this.#bytes = bytes;
    return this.#scanner.scan(bytes, end) && (this.#details || this.#scanner.settledAt < this.stopAt);
  }

  finish(): void {
    this.#scanner.finish();
  }

  /** The position after which no tag changes the description; Infinity until it is known. */
  get stopAt(): number {
    return this.#stopPoint.compute();
  }

  /** True if what was scanned suffices on most pages, although `scan` asks for more. */
  get isEnough(): boolean {
    return !this.#details && this.#scanner.settledAt >= this.#stopPoint.computeEnough();
  }

  /** True if the page's head was scanned to its end. */
  get isHeadComplete(): boolean {
    return this.#stopPoint.headEnd >= 0 || this.#scanner.bodyStart >= 0;
  }

  get isTitleComplete(): boolean {
    return this.#stopPoint.titleEnd >= 0;
  }

  /** True if the first element is known not to be `<html>`. */
  get hasOtherRoot(): boolean {
    return !this.hasHtmlRoot && this.#scanner.bodyStart >= 0;
  }

  onStartTag(tag: Tag): boolean {
    const isLate = tag.start >= this.stopAt;
    if (isLate && !this.#details) return false;
    if (tag.id === TAG.meta) return this.#addMeta(tag, isLate);
    if (tag.id === TAG.link) this.#addLink(tag, isLate);
    else if (tag.id === TAG.html && !isLate) this.#addHtml(tag);
    else if (tag.id === TAG.base && !isLate) this.base ??= this.#parse(tag).get('href') ?? null;
    else if (tag.id === TAG.script)
      this.#isInJsonLd = this.#details && isJsonLdType(this.#getKey(this.#parse(tag).get('type')));
    else if (tag.id === TAG.body && this.#stopPoint.headEnd < 0) this.#stopPoint.headEnd = tag.start;
    if (tag.id === TAG.noscript) this.#isInNoscript = true;
    // In a head, a noscript ends at any tag but meta, link, style and noframes (HTML §13.2.6.4.5).
    else if (tag.id !== TAG.link && tag.id !== TAG.style && tag.id !== TAG.noframes)
      this.#isInNoscript &&= this.isHeadComplete;
    return true;
  }

  onEndTag(tag: Tag): boolean {
    if (tag.id === TAG.noscript) this.#isInNoscript = false;
    if (tag.id === TAG.head && this.#stopPoint.headEnd < 0) this.#stopPoint.headEnd = tag.end;
    return true;
  }

  onText(id: TagId, start: number, end: number): boolean {
    if (id === TAG.title) return this.#addTitle(start, end);
    if (this.#isInJsonLd) this.jsonLd.add(start, end);
    return true;
  }

  discardFrom(start: number): void {
    truncate(this.titles, (title) => title.start >= start);
    truncate(this.metas, (meta) => meta.content.start >= start);
    truncate(this.links, (link) => link.attributes.get('href')!.start >= start);
    truncate(this.jsonLd.ranges, (block) => block.start >= start);
  }

  #addTitle(start: number, end: number): boolean {
    if (start >= this.stopAt) return this.#details;
    if (this.titles.length < MAX_TITLES) this.titles.push({ start, end });
    if (this.#stopPoint.titleEnd < 0 && !this.#isBlank(start, end)) this.#stopPoint.titleEnd = end;
    return true;
  }

  #addMeta(tag: Tag, isLate: boolean): boolean {
    if (++this.#metaCount > MAX_TAGS) return true;
    const attributes = this.#parse(tag);
    if (!isLate) {
      this.#stopPoint.lastTagEnd = tag.end;
      this.#applyPragma(attributes);
      // Its bytes cannot be compared as ASCII: the reader transcodes them and starts again.
      if (this.charset === 'iso-2022-jp' && !this.#isCharsetKnown) return false;
    }
    const content = attributes.get('content');
    if (content === undefined) return true;
    for (const key of this.#listKeys(attributes)) {
      this.metas.push({ key, content, isLate });
      if (!isLate && key === 'og:title') this.#stopPoint.hasCard = true;
    }
    return true;
  }

  /**
   * Returns the keys of a meta, each once: a list that repeats one would multiply the work on its content.
   */
  #listKeys(attributes: Attributes): Iterable<string> {
    const name = this.#getKey(attributes.get('name'));
    const property = this.#getKey(attributes.get('property'));
    // Nearly every meta has one of them, with one key.
    if (property === '') return name === '' ? [] : [name];
    if (name === '' && !SPACE.test(property)) return [property];
    return new Set([name, ...property.split(SPACES)].filter((key) => key !== ''));
  }

  /** Applies a meta that is equivalent to an HTTP header, and the charset of any. */
  #applyPragma(attributes: Attributes): void {
    const charset = attributes.get('charset');
    if (charset !== undefined) this.charset ??= parseMetaCharset(decodeWord(this.#bytes, charset));
    const pragma = attributes.get('http-equiv');
    const content = attributes.get('content');
    if (pragma === undefined || content === undefined) return;
    const name = this.#getKey(pragma);
    if (name === 'content-type') this.charset ??= parsePragmaCharset(decodeWord(this.#bytes, content));
    else if (name === 'content-language') this.metas.push({ key: name, content, isLate: false });
    else if (name === 'refresh' && !this.#isInNoscript) this.refresh ??= content;
  }

  #addLink(tag: Tag, isLate: boolean): void {
    if (++this.#linkCount > MAX_TAGS) return;
    if (!isLate) this.#stopPoint.lastTagEnd = tag.end;
    const attributes = this.#parse(tag);
    if (!attributes.has('href')) return;
    const rel = this.#getKey(attributes.get('rel')).split(SPACES);
    if (rel[0] !== '') this.links.push({ rel, attributes, isLate });
  }

  /** Each of several html tags adds the attributes that were missing (WHATWG HTML §13.2.6.4.7). */
  #addHtml(tag: Tag): void {
    // An html tag inside another root element, such as the one of a feed, is quoted content.
    this.hasHtmlRoot ||= this.#scanner.bodyStart < 0;
    const attributes = this.#parse(tag);
    this.language ??= attributes.get('lang') ?? null;
    this.xmlLanguage ??= attributes.get('xml:lang') ?? null;
  }

  #parse(tag: Tag): Attributes {
    return parseAttributes(this.#bytes, tag.nameEnd, tag.end);
  }

  #getKey(range: ByteRange | undefined): string {
    return range === undefined ? '' : decodeKey(this.#bytes, range);
  }

  #isBlank(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (!isSpace(this.#bytes[at]!)) return false;
    return true;
  }
}

/** Cuts the list off before its first discarded item. */
function truncate<T>(list: T[], isDiscarded: (item: T) => boolean): void {
  const at = list.findIndex(isDiscarded);
  if (at >= 0) list.length = at;
}

/** Reading stops so long after the head or the last tag. */
const TRAILING_BYTES = 4_096;
/** The same after the head of a page without an `og:title`: some pages have theirs in the body. */
const TRAILING_BYTES_WITHOUT_CARD = 65_536;

/** Computes the position up to which a page must be read to describe it, from what was seen of it so far. */
class StopPoint {
  /** The end of the head (`</head>`), or the start of `<body>`; -1 until it is seen. */
  headEnd = -1;
  /** The end of the first title that is not blank; -1 until it is seen. */
  titleEnd = -1;
  /** The end of the last meta or link. */
  lastTagEnd = 0;
  /**
   * An `og:title` was seen: other tags, such as `og:site_name`, may be far before the tags that describe the
   * page.
   */
  hasCard = false;
  #stopsEarly: boolean;

  constructor(stopsEarly: boolean) {
    this.#stopsEarly = stopsEarly;
  }

  /**
   * Returns the position after which no tag changes the description: Infinity until the title and the end of
   * the head are seen. A tag that only belongs in a body does not end the head: it may be misplaced.
   */
  compute(): number {
    const enough = this.computeEnough();
    return this.hasCard ? enough : Math.max(enough, this.headEnd + TRAILING_BYTES_WITHOUT_CARD);
  }

  /** Returns the same for a page that has its Open Graph tags in the head, if it has any. */
  computeEnough(): number {
    if (this.titleEnd < 0 || this.headEnd < 0 || !this.#stopsEarly) return Infinity;
    return Math.max(this.lastTagEnd, this.titleEnd, this.headEnd) + TRAILING_BYTES;
  }
}

const MAX_BYTES = 100_000;
const MAX_BLOCKS = 50;

/** The texts of a page's JSON-LD scripts, as positions in its bytes, up to a number of blocks and bytes. */
class JsonLdBlocks {
  readonly ranges: ByteRange[] = [];
  #bytes = 0;

  /** Adds a block. One that is too large is skipped, and leaves room for smaller ones after it. */
  add(start: number, end: number): void {
    const bytes = this.#bytes + end - start;
    if (this.ranges.length >= MAX_BLOCKS || bytes > MAX_BYTES) return;
    this.#bytes = bytes;
    this.ranges.push({ start, end });
  }
}

/** Returns true for the type of a JSON-LD script, with or without parameters; `type` is in lower case. */
function isJsonLdType(type: string): boolean {
  return type === 'application/ld+json' || type.startsWith('application/ld+json;');
}
