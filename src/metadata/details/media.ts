/** Lists the images, videos and sounds that a page declares. */
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { parseHttpUrl } from '../page/text.ts';
import { type DeclaredLink, findLinkUrl } from './declared-links.ts';
import type { JsonLdGraph } from './json-ld-graph.ts';
import { listJsonLdImages, listJsonLdVideos } from './json-ld-media.ts';
import { createItem, type MediaItem, parsePixels } from './media-item.ts';

/** Metas of publishers, the last choice. */
const IMAGE_KEYS = ['parsely-image-url', 'sailthru.image.full', 'thumbnail'];

/**
 * Lists the images that describe the page, best first: of Open Graph, Twitter, JSON-LD, links and other
 * metas.
 */
export function listImages(
  values: PageValues,
  graph: JsonLdGraph,
  links: readonly DeclaredLink[],
  limit: number,
): PageDetails['images'] {
  const linked = findLinkUrl(links, 'image_src');
  const items = [
    ...listMedia(values, 'og:image'),
    ...listMedia(values, 'twitter:image'),
    ...listJsonLdImages(values, graph, limit),
    ...(linked === null ? [] : [createItem(linked)]),
    ...IMAGE_KEYS.flatMap((key) => listMedia(values, key)),
  ];
  return merge(items, limit).map(({ url, width, height, alt }) => ({ url, width, height, alt }));
}

export function listVideos(values: PageValues, graph: JsonLdGraph, limit: number): PageDetails['video'] {
  const items = [
    ...listMedia(values, 'og:video'),
    ...listMedia(values, 'twitter:player:stream'),
    ...listMedia(values, 'twitter:player'),
    ...listJsonLdVideos(values, graph, limit),
  ];
  return merge(items, limit).map(({ url, type, width, height }) => ({ url, type, width, height }));
}

export function listAudio(values: PageValues, limit: number): PageDetails['audio'] {
  return merge(listMedia(values, 'og:audio'), limit).map(({ url, type }) => ({ url, type }));
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
      if (isSame) continue;
      // The properties after a URL that is not valid describe no image.
      last = url === null ? null : createItem(url);
      if (last !== null) items.push(last);
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

/** Returns the first `limit` URLs, each once, with the properties of all items that have it. */
function merge(items: readonly MediaItem[], limit: number): MediaItem[] {
  const byUrl = new Map<string, MediaItem>();
  for (const item of items) {
    const first = byUrl.get(item.url);
    if (first === undefined) {
      byUrl.set(item.url, item);
      continue;
    }
    first.type ??= item.type;
    first.alt ??= item.alt;
    // The width and the height of one declaration belong together.
    if (first.width === null && first.height === null)
      Object.assign(first, { width: item.width, height: item.height });
  }
  return [...byUrl.values()].slice(0, limit);
}
