/**
 * Takes a page as it arrives (PageReader of fetchPage) and can say at any time what was found. Bytes are scanned as they are;
 * those of UTF-16 and ISO-2022-JP, which cannot be compared as ASCII, are turned into UTF-8 first.
 */
import { detectCharset, findUtf16 } from '../charset/detect-charset.ts';
import { Iso2022JpDecoder } from '../charset/iso-2022-jp.ts';
import {
  type ContentType,
  findPageKind,
  looksLikeHtml,
  type PageKind,
  parseContentType,
} from './content-type.ts';
import type { PageHead, PageReader } from './fetch-page.ts';
import { skipTo } from '../html/text-end.ts';
import { PageTags } from './page-tags.ts';

/** What a page's bytes held. */
export interface ReadPage {
  head: PageHead;
  contentType: ContentType | null;
  /** The encoding of the original bytes; null for what is not HTML and names none. */
  charset: string | null;
  /** Null for what is not HTML. */
  html: { tags: PageTags; bytes: Buffer; bytesCharset: string } | null;
}

const EMPTY = Buffer.alloc(0);
/** What most pages are read to; the next step is twice as much. */
const FIRST_BYTES = 131_072;
const MIN_BORROWED_BYTES = 4_096;
/** More than nearly all pages are read to. */
const LARGE_BYTES = 262_144;
/** Enough to tell a byte-order mark. */
const MARK_BYTES = 4;
/** ESC $ B, ESC $ @, ESC ( J, ESC ( I: nothing but ISO-2022-JP begins so. */
const ESCAPE = 0x1b;

export interface MetadataReaderOptions {
  details: boolean;
  /** Default true: the description is complete 4 KB past the head. */
  stopsEarly?: boolean;
}

export class MetadataReader implements PageReader {
  #details: boolean;
  #stopsEarly: boolean;
  #head: PageHead | null = null;
  #contentType: ContentType | null = null;
  #kind: PageKind = 'other';
  #bytes: Buffer = EMPTY;
  #length = 0;
  #received = 0;
  /** What the body will have in all; NaN where that is not said. */
  #bodyBytes = NaN;
  /** The bytes are the fetcher's own first piece, not to be written to. */
  #isBorrowed = false;
  #tags: PageTags | null = null;
  #transcoder: TextDecoder | Iso2022JpDecoder | null = null;
  #isCharsetKnown = false;
  #escapeSearched = 0;
  #ended = false;
  /** What the whole of it held: guessing its charset takes longer than reading it. */
  #whole: ReadPage | null = null;

  constructor(options: MetadataReaderOptions) {
    this.#details = options.details;
    this.#stopsEarly = options.stopsEarly ?? true;
  }

  start(head: PageHead): boolean {
    const header = head.headers.get('content-type');
    this.#head = head;
    this.#contentType = parseContentType(header);
    this.#kind = findPageKind(header);
    this.#received = 0;
    this.#bodyBytes = head.headers.has('content-encoding')
      ? NaN
      : Number(head.headers.get('content-length') ?? NaN);
    this.#bytes = EMPTY;
    this.#length = 0;
    this.#tags = null;
    this.#transcoder = null;
    return this.#kind !== 'other';
  }

  write(chunk: Uint8Array): boolean {
    if (this.#kind === 'other') return false;
    this.#received += chunk.length;
    if (this.#transcoder === null) this.#append(chunk);
    else this.#append(Buffer.from(this.#transcoder.decode(chunk, { stream: true })));
    // A body that is all here costs nothing more, and its connection can be used again.
    return this.#go() || this.#received === this.#bodyBytes;
  }

  /** No more bytes will come. */
  finish(): void {
    if (this.#ended || this.#head === null) return;
    this.#ended = true;
    if (this.#kind === 'other') return;
    if (this.#transcoder !== null) this.#append(Buffer.from(this.#transcoder.decode()));
    this.#go();
    this.#tags?.finish();
    if (this.#tags?.charset === 'iso-2022-jp' && this.#wantsTranscoding()) this.#go();
  }

  /** Whether enough was read to answer with, had the deadline come now: the head of an HTML page, or a head that says it is none. */
  get isHeadRead(): boolean {
    return this.#head !== null && (this.#kind === 'other' || this.#tags?.isHeadRead === true);
  }

  get isTitleRead(): boolean {
    return this.#tags?.isTitleRead === true;
  }

  /** Whether describing the page takes long: its charset must be guessed, or its values can be large. */
  get isCostly(): boolean {
    if (this.#received > LARGE_BYTES) return true;
    const isGuess = !this.#isCharsetKnown && this.#tags !== null && this.#tags.charset === null;
    return isGuess && this.#received > MIN_BORROWED_BYTES;
  }

  /** What has been found so far; null before the head. */
  get page(): ReadPage | null {
    if (!this.#ended) return this.#describe();
    return (this.#whole ??= this.#describe());
  }

  #describe(): ReadPage | null {
    if (this.#head === null) return null;
    const page = {
      head: this.#head,
      contentType: this.#contentType,
      charset: this.#contentType?.charset ?? null,
    };
    const tags = this.#tags;
    const isHtml =
      this.#length > 0 && this.#kind !== 'other' && (this.#kind !== 'xml' || tags?.hasHtmlRoot === true);
    if (tags === null || !isHtml) return { ...page, html: null };
    const bytes = this.#bytes.subarray(0, this.#length);
    if (this.#transcoder !== null) {
      return { ...page, charset: this.#transcoder.encoding, html: { tags, bytes, bytesCharset: 'utf-8' } };
    }
    const seen = bytes.subarray(0, Math.min(this.#length, tags.quietAt));
    const language = tags.language ?? tags.xmlLanguage;
    const charset = detectCharset(seen, {
      header: page.charset,
      meta: tags.charset,
      language: language === null ? null : bytes.toString('latin1', language.start, language.end),
    });
    return { ...page, charset, html: { tags, bytes, bytesCharset: charset } };
  }

  #go(): boolean {
    if (this.#tags === null && !this.#begin()) return this.#kind !== 'other';
    const tags = this.#tags;
    if (tags === null) return false;
    if (!this.#searchEscape(tags)) return this.#go();
    const goesOn = tags.scan(this.#bytes, this.#length);
    if (!goesOn && this.#wantsTranscoding()) return this.#go();
    if (this.#kind === 'xml' && tags.hasOtherRoot) return false;
    return goesOn;
  }

  /** Decides how to read, once enough has come; false while it has not, or when it is not to be read at all. */
  #begin(): boolean {
    const bytes = this.#bytes.subarray(0, this.#length);
    if (bytes.length < MARK_BYTES && !this.#ended) return false;
    const header = this.#contentType?.charset ?? null;
    const utf16 = findUtf16(bytes);
    const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    if (this.#transcoder === null && !isMarked) {
      const charset = utf16 ?? header;
      if (charset?.startsWith('utf-16') === true || charset === 'iso-2022-jp') this.#transcode(charset);
    }
    if (this.#kind === 'unknown') {
      const looks = looksLikeHtml(this.#bytes.subarray(0, this.#length), this.#ended);
      if (looks === null) return false;
      this.#kind = looks ? 'html' : 'other';
      if (!looks) return false;
    }
    this.#openTags(header !== null || isMarked || this.#transcoder !== null);
    return true;
  }

  #openTags(isCharsetKnown: boolean): void {
    const isXml = this.#kind === 'xhtml' || this.#kind === 'xml';
    this.#tags = new PageTags({
      details: this.#details,
      isXml,
      isCharsetKnown,
      stopsEarly: this.#stopsEarly,
    });
    this.#isCharsetKnown = isCharsetKnown;
  }

  /** Undeclared ISO-2022-JP shows itself by its escapes; false when the reading was begun again because of one. */
  #searchEscape(tags: PageTags): boolean {
    if (this.#isCharsetKnown || this.#escapeSearched >= this.#length - 2) return true;
    const end = this.#length - 2;
    let at = skipTo(ESCAPE, this.#bytes, this.#escapeSearched, end);
    for (; at < end; at = skipTo(ESCAPE, this.#bytes, at + 1, end)) {
      if (!isJapaneseEscape(this.#bytes[at + 1]!, this.#bytes[at + 2]!)) continue;
      tags.scan(this.#bytes, at);
      this.#escapeSearched = Infinity;
      if (tags.charset !== null || at >= tags.quietAt) return true;
      this.#restart();
      return false;
    }
    this.#escapeSearched = Math.max(at, 0);
    return true;
  }

  #wantsTranscoding(): boolean {
    if (this.#isCharsetKnown || this.#tags?.charset !== 'iso-2022-jp') return false;
    this.#restart();
    return true;
  }

  #restart(): void {
    this.#transcode('iso-2022-jp');
    this.#openTags(true);
  }

  /** Turns what has come into UTF-8, and what is to come. */
  #transcode(charset: string): void {
    this.#transcoder = charset === 'iso-2022-jp' ? new Iso2022JpDecoder() : new TextDecoder(charset);
    const original = this.#bytes.subarray(0, this.#length);
    this.#bytes = EMPTY;
    this.#length = 0;
    this.#append(Buffer.from(this.#transcoder.decode(original, { stream: !this.#ended })));
  }

  /** The first piece as it is (most pages need no other), then one growing buffer: many small pieces must not become many small objects. */
  #append(chunk: Uint8Array): void {
    if (this.#length === 0 && chunk.length >= MIN_BORROWED_BYTES) {
      this.#bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      this.#length = chunk.length;
      this.#isBorrowed = true;
      return;
    }
    const length = this.#length + chunk.length;
    if (this.#isBorrowed || length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2, FIRST_BYTES));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
      this.#isBorrowed = false;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }
}

function isJapaneseEscape(first: number, second: number): boolean {
  return first === 0x24
    ? second === 0x42 || second === 0x40
    : first === 0x28 && (second === 0x4a || second === 0x49);
}
