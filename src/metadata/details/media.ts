/** The images, videos and sounds that a page names in Open Graph and Twitter tags, with what is said of each. */
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { readUrl } from '../page/text.ts';

/** A property after the URL that it belongs to (Open Graph protocol, «Structured properties» and «Arrays»). */
interface MediaItem {
  url: string;
  type: string | null;
  width: number | null;
  height: number | null;
  alt: string | null;
}

export function readImages(values: PageValues, limit: number): PageDetails['images'] {
  const items = [...readMedia(values, 'og:image'), ...readMedia(values, 'twitter:image')];
  return unique(items, limit).map(({ url, width, height, alt }) => ({ url, width, height, alt }));
}

export function readVideos(values: PageValues, limit: number): PageDetails['video'] {
  const items = [
    ...readMedia(values, 'og:video'),
    ...readMedia(values, 'twitter:player:stream'),
    ...readMedia(values, 'twitter:player'),
  ];
  return unique(items, limit).map(({ url, type, width, height }) => ({ url, type, width, height }));
}

export function readAudio(values: PageValues, limit: number): PageDetails['audio'] {
  return unique(readMedia(values, 'og:audio'), limit).map(({ url, type }) => ({ url, type }));
}

/** `root`, `root:url`, `root:src` and `root:secure_url` name one; `root:width` and the like say something of the last named. */
function readMedia(values: PageValues, root: string): MediaItem[] {
  const items: MediaItem[] = [];
  let last: MediaItem | null = null;
  let lastKey = '';
  for (const { key, content } of values.tags.metas) {
    if (key !== root && !key.startsWith(`${root}:`)) continue;
    const part = key.slice(root.length + 1);
    if (part === '' || part === 'url' || part === 'src' || part === 'secure_url') {
      const url = readUrl(values.raw(content), values.base);
      // og:image and og:image:secure_url in a row are two addresses of one image.
      const isSame: boolean = last !== null && part !== '' && lastKey !== part && isAddress(lastKey);
      lastKey = part;
      if (url === null || isSame) continue;
      last = { url, type: null, width: null, height: null, alt: null };
      items.push(last);
    } else if (last !== null) {
      lastKey = part;
      addProperty(last, part, values.attributeText(content));
    }
  }
  return items;
}

function isAddress(part: string): boolean {
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

function unique(items: readonly MediaItem[], limit: number): MediaItem[] {
  const byUrl = new Map<string, MediaItem>();
  for (const item of items) if (!byUrl.has(item.url)) byUrl.set(item.url, item);
  return [...byUrl.values()].slice(0, limit);
}
