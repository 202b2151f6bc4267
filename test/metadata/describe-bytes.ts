import type { PageHead, PageMetadata } from '#metadata';
import { describePage } from '../../src/metadata/page/describe-page.ts';
import { MetadataReader, type MetadataReaderOptions } from '../../src/metadata/page/metadata-reader.ts';

export function pageHead(finalUrl: string, headers: Record<string, string> = {}, status = 200): PageHead {
  return { finalUrl, status, headers: new Map(Object.entries(headers)), redirects: [] };
}

/** Describes bytes as getMetadata does, without a fetch. They arrive in chunks, cut at `cuts`. */
export function describeBytes(
  bytes: Buffer,
  head: PageHead,
  options: Partial<MetadataReaderOptions> & { cuts?: readonly number[] } = {},
): PageMetadata {
  const details = options.details ?? false;
  const reader = new MetadataReader({ details, stopsEarly: options.stopsEarly ?? true });
  let needsMore = reader.start(head);
  let from = 0;
  for (const cut of [...(options.cuts ?? []), bytes.length]) {
    if (!needsMore) break;
    needsMore = reader.write(bytes.subarray(from, cut));
    from = cut;
  }
  reader.finish();
  return describePage(reader.page!, { url: head.finalUrl, details });
}
