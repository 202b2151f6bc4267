import type { ByteRange } from '#html';

const MAX_BYTES = 100_000;
const MAX_BLOCKS = 50;

/** The texts of a page's JSON-LD scripts, as positions in its bytes, up to a number of blocks and bytes. */
export class JsonLdBlocks {
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
export function isJsonLdType(type: string): boolean {
  return type === 'application/ld+json' || type.startsWith('application/ld+json;');
}
