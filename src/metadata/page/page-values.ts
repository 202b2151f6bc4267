/** Decodes the values that a page declares, on demand. */
import { type Decode, getDecoder } from '../charset/decoders.ts';
import type { ByteRange } from '#html';
import type { ScannedPage } from './scanned-page.ts';
import type { FoundLink, FoundMeta } from './page-tags.ts';
import { decodeReferences, MAX_RAW_LENGTH, normalizeText, parseHttpUrl } from './text.ts';

/** Further metas under one key are ignored if all of them are wanted. */
const MAX_METAS_PER_KEY = 50;
/** So many are searched for each key in less time than they are grouped in. */
const FEW_METAS = 64;
/** The limit of one value: encodings have up to 4 bytes per character, and longer text is cut anyway. */
const MAX_VALUE_BYTES = 4 * MAX_RAW_LENGTH;

export class PageValues {
  /** The URL that the page's relative URLs are resolved against. */
  readonly base: string;
  #page: NonNullable<ScannedPage['html']>;
  #decode: Decode;
  /** The values decoded before, by their start: a meta may have many keys that are looked up. */
  #rawTexts = new Map<number, string>();
  #texts = new Map<number, string | null>();
  /** More than a few metas by key, once a key is looked up. */
  #metasByKey: Map<string, FoundMeta[]> | null = null;

  constructor(page: NonNullable<ScannedPage['html']>, finalUrl: string) {
    this.#page = page;
    this.#decode = getDecoder(page.bytesCharset);
    const base = page.tags.base === null ? null : parseHttpUrl(this.getRaw(page.tags.base), finalUrl);
    this.base = base ?? finalUrl;
  }

  get tags(): NonNullable<ScannedPage['html']>['tags'] {
    return this.#page.tags;
  }

  /** Returns an attribute's value with its character references decoded, but not normalized. */
  getRaw(range: ByteRange): string {
    const known = this.#rawTexts.get(range.start);
    if (known !== undefined) return known;
    const text = decodeReferences(this.getSource(limit(range)), 'attribute');
    this.#rawTexts.set(range.start, text);
    return text;
  }

  /** Returns the markup at `range`. */
  getSource(range: ByteRange): string {
    return this.#decode(this.#page.bytes, range.start, range.end);
  }

  /** Returns an attribute's normalized value; null if it is blank or absent. */
  getText(range: ByteRange | undefined): string | null {
    if (range === undefined) return null;
    const known = this.#texts.get(range.start);
    if (known !== undefined) return known;
    const text = normalizeText(this.getSource(limit(range)), 'attribute');
    this.#texts.set(range.start, text);
    return text;
  }

  /** Returns the first title element that is not blank, or null. */
  findTitle(): string | null {
    for (const range of this.tags.titles) {
      const source = this.getSource(limit(range));
      const text = normalizeText(this.tags.isXml ? unwrapCdata(source) : source, 'text');
      if (text !== null) return text;
    }
    return null;
  }

  /**
   * Returns the first content that is not blank, by key, then position. A meta after the stop point counts
   * if no earlier one has a value; with `withLate`, like any other.
   */
  findText(keys: readonly string[], withLate = false): string | null {
    return this.#find(keys, withLate, (range) => this.getText(range));
  }

  /**
   * Returns the first meta content that is an http(s) URL, absolute, by key, then by position. One after the
   * stop point counts if no earlier one is a URL; with `withLate`, as any other.
   */
  findUrl(keys: readonly string[], withLate = false): string | null {
    return this.#find(keys, withLate, (range) => parseHttpUrl(this.getRaw(range), this.base));
  }

  /** Returns the link's target, or null if it is not an http(s) URL. */
  parseLinkUrl(link: FoundLink): string | null {
    return parseHttpUrl(this.getRaw(link.attributes.get('href')!), this.base);
  }

  /** Lists the contents of the first 50 metas under `key`, with references decoded; late ones too. */
  listRawTexts(key: string): string[] {
    return this.getMetas(key)
      .slice(0, MAX_METAS_PER_KEY)
      .map((meta) => this.getRaw(meta.content));
  }

  /** Lists the contents of the first 50 metas under `key` that are not blank; late ones too. */
  listTexts(key: string): string[] {
    return this.getMetas(key)
      .slice(0, MAX_METAS_PER_KEY)
      .map((meta) => this.getText(meta.content))
      .filter((text) => text !== null);
  }

  /** Returns the metas under `key`, in order. */
  getMetas(key: string): readonly FoundMeta[] {
    const { metas } = this.tags;
    if (metas.length <= FEW_METAS) return metas.filter((meta) => meta.key === key);
    this.#metasByKey ??= Map.groupBy(metas, (meta) => meta.key);
    return this.#metasByKey.get(key) ?? [];
  }

  #find(
    keys: readonly string[],
    withLate: boolean,
    parse: (range: ByteRange) => string | null,
  ): string | null {
    let late: string | null = null;
    for (const key of keys) {
      for (const meta of this.getMetas(key)) {
        const isLate = meta.isLate && !withLate;
        if (isLate && late !== null) continue;
        const value = parse(meta.content);
        if (isLate) late = value;
        else if (value !== null) return value;
      }
    }
    return late;
  }
}

function limit({ start, end }: ByteRange): ByteRange {
  return { start, end: Math.min(end, start + MAX_VALUE_BYTES) };
}

/** Replaces CDATA sections by their text, escaped: they contain no character references (XML §2.7). */
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
