import type { PageHead, PageReader } from '../page/fetch-page.ts';
import type { MetadataReader } from '../page/metadata-reader.ts';
import { hasCard } from './looks-like-shell.ts';
import type { RenderMode } from './render-page.ts';

/**
 * Passes a page to the reader that describes it, and keeps its bytes for the browser. Reads on after the
 * reader has enough, as the browser needs the whole page; with `auto` only if the page has no card.
 */
export class KeptPage implements PageReader {
  readonly #reader: MetadataReader;
  readonly #mode: RenderMode;
  readonly #chunks: Uint8Array[] = [];
  #isReading = false;
  /** True if the browser needs more than the reader; null until the reader has enough. */
  #needsRest: boolean | null = null;

  constructor(reader: MetadataReader, mode: RenderMode) {
    this.#reader = reader;
    this.#mode = mode;
  }

  start(head: PageHead): boolean {
    this.#chunks.length = 0;
    this.#needsRest = null;
    this.#isReading = this.#reader.start(head);
    return this.#isReading;
  }

  write(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    if (!this.#isReading) return true;
    this.#isReading = this.#reader.write(chunk);
    return this.#isReading || this.#computeNeedsRest();
  }

  get isEnough(): boolean {
    if (!this.#isReading || !this.#reader.isEnough) return false;
    return !(this.#needsRest ??= this.#computeNeedsRest());
  }

  /**
   * Returns the body, as far as it was read, and keeps no other copy: the bytes of the reader if it has read
   * all of them as they are.
   */
  joinBytes(): Uint8Array {
    const length = this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const page = this.#reader.page;
    const isAsReceived = page?.html?.bytes.length === length && page.charset === page.html.bytesCharset;
    const joined = isAsReceived ? page.html!.bytes : Buffer.concat(this.#chunks);
    this.#chunks.splice(0, Infinity, joined);
    return joined;
  }

  #computeNeedsRest(): boolean {
    const html = this.#reader.page?.html;
    return html != null && (this.#mode === 'true' || !hasCard(html.tags));
  }
}
