/** Lists the images, videos and sounds that a page declares in Open Graph and Twitter tags. */
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { parseHttpUrl } from '../page/text.ts';

/** A URL and the properties that follow it (Open Graph protocol, «Structured properties» and «Arrays»). */
interface MediaItem {
  url: string;
  type: string | null;
  width: number | null;
  height: number | null;
  alt: string | null;
}

export function listImages(values: PageValues, limit: number): PageDetails['images'] {
  const items = [...listMedia(values, 'og:image'), ...listMedia(values, 'twitter:image')];
  return dedupe(items, limit).map(({ url, width, height, alt }) => ({ url, width, height, alt }));
}

export function listVideos(values: PageValues, limit: number): PageDetails['video'] {
  const items = [
    ...listMedia(values, 'og:video'),
    ...listMedia(values, 'twitter:player:stream'),
    ...listMedia(values, 'twitter:player'),
  ];
  return dedupe(items, limit).map(({ url, type, width, height }) => ({ url, type, width, height }));
}

export function listAudio(values: PageValues, limit: number): PageDetails['audio'] {
  return dedupe(listMedia(values, 'og:audio'), limit).map(({ url, type }) => ({ url, type }));
}

/**
 * Lists the media under `root`. `root`, `root:url`, `root:src` and `root:secure_url` declare one; others
 * describe the last.
 */
function listMedia(values: PageValues, root: string): MediaItem[] {
  const items: MediaItem[] = [];
  let last: MediaItem | null = null;
  let lastPart = '';
  for (const { key, content } of values.tags.metas) {
    if (key !== root && !key.startsWith(`${root}:`)) continue;
    const part = key.slice(root.length + 1);
    if (isUrlPart(part)) {
      const url = parseHttpUrl(values.getRaw(content), values.base);
      // og:image and og:image:secure_url in a row are two URLs of one image.
      const isSame: boolean = last !== null && part !== '' && lastPart !== part && isUrlPart(lastPart);
      lastPart = part;
      if (url === null || isSame) continue;
      last = { url, type: null, width: null, height: null, alt: null };
      items.push(last);
    } else if (last !== null) {
      lastPart = part;
      addProperty(last, part, values.getText(content));
    }
  }
  return items;
}

/** Returns whether a key's part after `root` declares a URL. */
function isUrlPart(part: string): boolean {
  return part === '' || part === 'url' || part === 'src' || part === 'secure_url';
}

function addProperty(item: MediaItem, part: string, text: string | null): void {
  if (part === 'width' || part === 'height') item[part] ??= parsePixels(text);
  else if (part === 'alt' || part === 'type') item[part] ??= text;
  else if (part === 'content_type') item.type ??= text;
}

function parsePixels(text: string | null): number | null {
  const match = /^(\d{1,6})(?:\.\d+)?\s*(?:px)?$/.exec(text ?? '');
  return match === null ? null : Number(match[1]);
}

/** Returns the first `limit` items, each URL once. */
function dedupe(items: readonly MediaItem[], limit: number): MediaItem[] {
  const byUrl = new Map<string, MediaItem>();
  for (const item of items) if (!byUrl.has(item.url)) byUrl.set(item.url, item);
  return [...byUrl.values()].slice(0, limit);
}
