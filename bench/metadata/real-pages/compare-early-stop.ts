/** Compares what is found in real pages with and without stopping early. */
import type { PageMetadata } from '../../../src/metadata/index.ts';
import { MetadataReader } from '../../../src/metadata/page/metadata-reader.ts';
import { describePage } from '../../../src/metadata/page/describe-page.ts';
import type { PageHead } from '../../../src/metadata/page/fetch-page.ts';

/** Bytes of a page at a time, as from a network. */
const CHUNK_BYTES = 4_096;
/** As much of a page as the service reads. */
const MAX_BYTES = 2 * 1_024 * 1_024;

/** The pages of one source, or of all. */
export class EarlyStopReport {
  pages = 0;
  bytes = 0;
  bytesRead = 0;
  /** Pages with a different text or URL. */
  different = 0;
  /** Pages with the same values in a charset of another name. */
  differentCharset = 0;

  /** Adds a page. Returns the fields that differ. */
  add(page: Buffer, head: PageHead): string[] {
    const bytes = page.subarray(0, MAX_BYTES);
    const on = describeInChunks(bytes, head, true);
    const off = describeInChunks(bytes, head, false);
    const fields = listDifferences(on.metadata, off.metadata);
    this.pages++;
    this.bytes += bytes.length;
    this.bytesRead += on.bytesRead;
    if (fields.some((field) => field !== 'charset')) this.different++;
    else if (fields.length > 0) this.differentCharset++;
    return fields;
  }

  /** Adds the pages of another report. */
  merge(other: EarlyStopReport): void {
    this.pages += other.pages;
    this.bytes += other.bytes;
    this.bytesRead += other.bytesRead;
    this.different += other.different;
    this.differentCharset += other.differentCharset;
  }

  get columns(): string[] {
    const share = this.bytes === 0 ? 0 : this.bytesRead / this.bytes;
    return [
      String(this.pages),
      `${(100 * share).toFixed(1)} %`,
      String(this.different),
      String(this.differentCharset),
    ];
  }
}

function describeInChunks(bytes: Buffer, head: PageHead, stopsEarly: boolean) {
  const reader = new MetadataReader({ details: false, stopsEarly });
  let bytesRead = 0;
  let needsMore = reader.start(head);
  while (needsMore && bytesRead < bytes.length) {
    const chunk = bytes.subarray(bytesRead, bytesRead + CHUNK_BYTES);
    bytesRead += chunk.length;
    needsMore = reader.write(chunk);
  }
  reader.finish();
  return { metadata: describePage(reader.page!, { url: head.finalUrl, details: false }), bytesRead };
}

function listDifferences(one: PageMetadata, other: PageMetadata): string[] {
  const flatOne = flattenMetadata(one);
  const flatOther = flattenMetadata(other);
  return Object.keys(flatOne).filter((field) => flatOne[field] !== flatOther[field]);
}

/** Returns the contract's fields by path: `title`, `og.image`, `og.site_name`. */
export function flattenMetadata({ og, twitter, ...rest }: Omit<PageMetadata, 'url'>) {
  const { siteName, ...other } = og;
  const flat: Record<string, string | null> = { 'og.site_name': siteName };
  for (const name of ['title', 'description', 'favicon', 'charset', 'language'] as const)
    flat[name] = rest[name];
  for (const [name, value] of Object.entries(other)) flat[`og.${name}`] = value;
  for (const [name, value] of Object.entries(twitter)) flat[`twitter.${name}`] = value;
  return flat;
}
