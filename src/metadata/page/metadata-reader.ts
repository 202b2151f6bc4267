/** Reads a page as it arrives: the PageReader that getMetadata passes to fetchPage. */
import { findUtf16, hasUtf8Mark } from '../charset/detect-charset.ts';
import { findIso2022JpEscape, Iso2022JpDecoder } from '../charset/decoders.ts';
import {
  type ContentType,
  findPageKind,
  looksLikeHtml,
  type PageKind,
  parseContentType,
} from './content-type.ts';
import { needsFileBytes } from '../files/describe-file.ts';
import type { PageHead, PageReader } from './fetch-page.ts';
import { PageBytes } from './page-bytes.ts';
import { PageTags } from './page-tags.ts';
import { computeScannedPage, type ScannedPage } from './scanned-page.ts';

/** Most pages are described from less. */
const LARGE_BYTES = 262_144;
/** Guessing the charset of fewer bytes is cheap. */
const SMALL_BYTES = 4_096;
/** A byte-order mark, or the start of UTF-16 markup, can be recognized in this many bytes. */
const MARK_BYTES = 4;

export interface MetadataReaderOptions {
  details: boolean;
  /** Default true: reading stops once the description is complete (see StopPoint). */
  stopsEarly?: boolean;
}

/**
 * Scans the bytes as they are, except UTF-16 and ISO-2022-JP: these cannot be compared as ASCII and are
 * transcoded to UTF-8 first.
 */
export class MetadataReader implements PageReader {
  #details: boolean;
  #stopsEarly: boolean;
  #head: PageHead | null = null;
  #contentType: ContentType | null = null;
  #kind: PageKind = 'other';
  /** As received, or transcoded to UTF-8. */
  #bytes = new PageBytes();
  #receivedBytes = 0;
  /** The length of the body; NaN if the head does not say. */
  #bodyBytes = NaN;
  #tags: PageTags | null = null;
  #transcoder: TextDecoder | Iso2022JpDecoder | null = null;
  /** True if a byte-order mark or a header has settled the charset. */
  #isCharsetKnown = false;
  /** No escape of ISO-2022-JP is before this position. */
  #escapesCheckedTo = 0;
  /** The number of bytes of what is not HTML at which it is checked whether more are needed. */
  #checkFileAt = 0;
  #isFinished = false;
  /** The finished page, computed once: guessing its charset takes longer than scanning it. */
  #finishedPage: ScannedPage | null = null;

  constructor(options: MetadataReaderOptions) {
    this.#details = options.details;
    this.#stopsEarly = options.stopsEarly ?? true;
  }

  start(head: PageHead): boolean {
    const header = head.headers.get('content-type');
    this.#head = head;
    this.#contentType = parseContentType(header);
    this.#kind = findPageKind(header);
    this.#receivedBytes = 0;
    this.#bodyBytes = head.headers.has('content-encoding')
      ? NaN
      : Number(head.headers.get('content-length') ?? NaN);
    this.#bytes.clear();
    this.#tags = null;
    this.#transcoder = null;
    this.#checkFileAt = 0;
    return this.#kind !== 'other' || this.#details;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#kind === 'other' && !this.#details) return false;
    this.#receivedBytes += chunk.length;
    if (this.#transcoder === null) this.#bytes.append(chunk);
    else this.#bytes.append(Buffer.from(this.#transcoder.decode(chunk, { stream: true })));
    // A body that has arrived to its end costs nothing more, and leaves its connection reusable.
    const needsMore = this.#kind === 'other' ? this.#needsFileBytes() : this.#scan();
    return needsMore || this.#receivedBytes === this.#bodyBytes;
  }

  get isEnough(): boolean {
    return this.#tags?.isEnough === true;
  }

  /** Ends the page: no more bytes will come. */
  finish(): void {
    if (this.#isFinished || this.#head === null) return;
    this.#isFinished = true;
    if (this.#kind === 'other') return;
    if (this.#transcoder !== null) this.#bytes.append(Buffer.from(this.#transcoder.decode()));
    this.#scan();
    this.#tags?.finish();
    if (this.#tags?.charset === 'iso-2022-jp' && this.#restartAsIso2022Jp()) this.#scan();
  }

  /** True if the page can be described at its deadline: its head was read, or it is not HTML. */
  get isHeadComplete(): boolean {
    return this.#head !== null && (this.#kind === 'other' || this.#tags?.isHeadComplete === true);
  }

  get isTitleComplete(): boolean {
    return this.#tags?.isTitleComplete === true;
  }

  /**
   * True if describing the page takes long: its charset must be guessed, its values can be large, or it is a
   * file, which few bytes can make costly.
   */
  get isCostly(): boolean {
    if (this.#kind === 'other') return this.#bytes.length > 0;
    if (this.#receivedBytes > LARGE_BYTES) return true;
    const isGuess = !this.#isCharsetKnown && this.#tags !== null && this.#tags.charset === null;
    return isGuess && this.#receivedBytes > SMALL_BYTES;
  }

  /** The page as far as it was read; null before `start`. */
  get page(): ScannedPage | null {
    if (!this.#isFinished) return this.#compute();
    return (this.#finishedPage ??= this.#compute());
  }

  #compute(): ScannedPage | null {
    if (this.#head === null) return null;
    return computeScannedPage({
      head: this.#head,
      contentType: this.#contentType,
      kind: this.#kind,
      tags: this.#tags,
      bytes: this.#bytes.getBytes(),
      transcodedFrom: this.#transcoder?.encoding ?? null,
    });
  }

  /** Scans what has arrived. Returns whether more bytes are needed. */
  #scan(): boolean {
    if (this.#tags === null && !this.#begin()) return this.#kind !== 'other' || this.#needsFileBytes();
    const tags = this.#tags;
    if (tags === null) return false;
    if (this.#restartAtEscape(tags)) return this.#scan();
    const needsMore = tags.scan(this.#bytes.buffer, this.#bytes.length);
    if (!needsMore && this.#restartAsIso2022Jp()) return this.#scan();
    if (this.#kind !== 'xml' || !tags.hasOtherRoot) return needsMore;
    // A feed, perhaps.
    this.#kind = 'other';
    return this.#needsFileBytes();
  }

  /** Returns whether the details of what is not HTML need more bytes; checks each time they have doubled. */
  #needsFileBytes(): boolean {
    if (!this.#details || this.#bytes.length < this.#checkFileAt) return this.#details;
    this.#checkFileAt = 2 * this.#bytes.length;
    return needsFileBytes({ bytes: this.#bytes.getBytes(), contentType: this.#contentType });
  }

  /** Decides how to scan the page. Returns false if that needs more bytes, or if it is not HTML. */
  #begin(): boolean {
    const bytes = this.#bytes.getBytes();
    if (bytes.length < MARK_BYTES && !this.#isFinished) return false;
    const header = this.#contentType?.charset ?? null;
    const isMarked = hasUtf8Mark(bytes);
    if (this.#transcoder === null && !isMarked) {
      const charset = findUtf16(bytes) ?? header;
      if (charset?.startsWith('utf-16') === true || charset === 'iso-2022-jp') this.#transcode(charset);
    }
    if (this.#kind === 'unknown') {
      const isHtml = looksLikeHtml(this.#bytes.getBytes(), this.#isFinished);
      if (isHtml === null) return false;
      this.#kind = isHtml ? 'html' : 'other';
      if (!isHtml) return false;
    }
    this.#openTags(header !== null || isMarked || this.#transcoder !== null);
    return true;
  }

  #openTags(isCharsetKnown: boolean): void {
    this.#tags = new PageTags({
      details: this.#details,
      isXml: this.#kind === 'xhtml' || this.#kind === 'xml',
      isCharsetKnown,
      stopsEarly: this.#stopsEarly,
    });
    this.#isCharsetKnown = isCharsetKnown;
  }

  /** Restarts the scan at the first escape of undeclared ISO-2022-JP. Returns whether it did. */
  #restartAtEscape(tags: PageTags): boolean {
    const end = this.#bytes.length - 2;
    if (this.#isCharsetKnown || this.#escapesCheckedTo >= end) return false;
    const at = findIso2022JpEscape(this.#bytes.buffer, this.#escapesCheckedTo, end);
    this.#escapesCheckedTo = at;
    if (at === end) return false;
    this.#escapesCheckedTo = Infinity;
    // A charset that was declared before the escape counts; an escape after the stop point does not.
    tags.scan(this.#bytes.buffer, at);
    if (tags.charset !== null || at >= tags.stopAt) return false;
    this.#restart();
    return true;
  }

  /** Restarts the scan if a meta has declared ISO-2022-JP. */
  #restartAsIso2022Jp(): boolean {
    if (this.#isCharsetKnown || this.#tags?.charset !== 'iso-2022-jp') return false;
    this.#restart();
    return true;
  }

  #restart(): void {
    this.#transcode('iso-2022-jp');
    this.#openTags(true);
  }

  /** Transcodes what has arrived, and all that will, to UTF-8. */
  #transcode(charset: string): void {
    this.#transcoder = charset === 'iso-2022-jp' ? new Iso2022JpDecoder() : new TextDecoder(charset);
    const original = this.#bytes.getBytes();
    this.#bytes.clear();
    this.#bytes.append(Buffer.from(this.#transcoder.decode(original, { stream: !this.#isFinished })));
  }
}
