/** The values that a page declares, decoded when asked for. */
import { openDecoder } from '../charset/get-decoder.ts';
import type { ByteRange } from '../html/attributes.ts';
import type { ReadPage } from './metadata-reader.ts';
import type { FoundLink } from './page-tags.ts';
import { decodeReferences, MAX_RAW_LENGTH, readText, readUrl } from './text.ts';

/** Of a value that is a text or a URL: what comes after it is cut off anyway. No encoding has more bytes to a character. */
const MAX_VALUE_BYTES = 4 * MAX_RAW_LENGTH;

export class PageValues {
  readonly base: string;
  #page: NonNullable<ReadPage['html']>;
  #decode: (bytes: Buffer, start: number, end: number) => string;

  constructor(page: NonNullable<ReadPage['html']>, finalUrl: string) {
    this.#page = page;
    this.#decode = openDecoder(page.bytesCharset);
    const base = page.tags.base === null ? null : readUrl(this.raw(page.tags.base), finalUrl);
    this.base = base ?? finalUrl;
  }

  get tags(): NonNullable<ReadPage['html']>['tags'] {
    return this.#page.tags;
  }

  /** An attribute's value with its character references decoded. */
  raw(range: ByteRange): string {
    return decodeReferences(this.source(cut(range)), 'attribute');
  }

  /** What stands there, decoded from bytes only. */
  source(range: ByteRange): string {
    return this.#decode(this.#page.bytes, range.start, range.end);
  }

  attributeText(range: ByteRange | undefined): string | null {
    return range === undefined ? null : readText(this.source(cut(range)), 'attribute');
  }

  title(): string | null {
    for (const range of this.tags.titles) {
      const source = this.source(cut(range));
      const text = readText(this.tags.isXml ? unwrapCdata(source) : source, 'text');
      if (text !== null) return text;
    }
    return null;
  }

  /** The first text that is not blank, by key and then by place; `withLate`: also what comes after the description was complete. */
  text(keys: readonly string[], withLate = false): string | null {
    return this.#first(keys, withLate, (range) => this.attributeText(range));
  }

  /** The first http(s) URL likewise, absolute. */
  url(keys: readonly string[]): string | null {
    return this.#first(keys, false, (range) => readUrl(this.raw(range), this.base));
  }

  linkUrl(link: FoundLink): string | null {
    return readUrl(this.raw(link.attributes.get('href')!), this.base);
  }

  #first(
    keys: readonly string[],
    withLate: boolean,
    read: (range: ByteRange) => string | null,
  ): string | null {
    for (const key of keys) {
      for (const meta of this.tags.metas) {
        if (meta.key !== key || (meta.late && !withLate)) continue;
        const value = read(meta.content);
        if (value !== null) return value;
      }
    }
    return null;
  }
}

function cut({ start, end }: ByteRange): ByteRange {
  return { start, end: Math.min(end, start + MAX_VALUE_BYTES) };
}

/** XML's other way to write text: no references in it. */
function unwrapCdata(text: string): string {
  let plain = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<![CDATA[', at);
    const close = open < 0 ? -1 : text.indexOf(']]>', open);
    if (close < 0) return plain + text.slice(at);
    plain += text.slice(at, open) + text.slice(open + '<![CDATA['.length, close).replaceAll('&', '&amp;');
    at = close + ']]>'.length;
  }
}
