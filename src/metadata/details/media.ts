/** Lists the images, videos and sounds that a page declares. */
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { normalizeText, parseHttpUrl } from '../page/text.ts';
import { type DeclaredLink, findLinkUrl } from './declared-links.ts';
import type { JsonLdGraph } from './json-ld-graph.ts';
import type { JsonLdNode } from './json-ld.ts';

/** A URL and the properties that follow it (Open Graph protocol, «Structured properties» and «Arrays»). */
interface MediaItem {
  url: string;
  type: string | null;
  width: number | null;
  height: number | null;
  alt: string | null;
}

function createItem(url: string): MediaItem {
  return { url, type: null, width: null, height: null, alt: null };
}

/** Parses a size as pages write it: `1200`, `1200px`. */
function parsePixels(text: string | null): number | null {
  const match = /^(\d{1,6})(?:\.\d+)?\s*(?:px|pixels)?$/i.exec(text ?? '');
  return match === null ? null : Number(match[1]);
}

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

// Lists the images and videos of the page in its JSON-LD: never the logo of its publisher or a portrait.

type Value = string | number | JsonLdNode;

const IMAGE_PROPERTIES = ['image', 'primaryImageOfPage', 'thumbnailUrl', 'thumbnail'];

function listJsonLdImages(values: PageValues, graph: JsonLdGraph, limit: number): MediaItem[] {
  const items: MediaItem[] = [];
  for (const property of IMAGE_PROPERTIES) {
    for (const node of graph.mainNodes) {
      const isImage = property === 'image' && graph.getTypes(node).includes('imageobject');
      for (const value of isImage ? [node] : graph.list(graph.get(node, property), limit)) {
        const item = toImage(values, graph, value);
        if (item !== null) items.push(item);
        if (items.length === limit) return items;
      }
    }
  }
  return items;
}

/** Returns the logo of the publisher, else of the organization that the JSON-LD describes. */
export function findJsonLdLogo(values: PageValues, graph: JsonLdGraph): MediaItem | null {
  const publishers = [...graph.mainNodes, ...graph.topNodes].flatMap((node) =>
    graph.list(graph.get(node, 'publisher'), 1),
  );
  for (const owner of [...publishers, ...graph.topNodes]) {
    if (typeof owner !== 'object') continue;
    for (const value of graph.list(graph.get(owner, 'logo'), 5)) {
      const item = toImage(values, graph, value);
      if (item !== null) return item;
    }
  }
  return null;
}

/** Lists the videos of the page: the file, else the player. */
function listJsonLdVideos(values: PageValues, graph: JsonLdGraph, limit: number): MediaItem[] {
  const items: MediaItem[] = [];
  for (const node of graph.mainNodes) {
    const isVideo = graph.getTypes(node).includes('videoobject');
    for (const value of isVideo ? [node] : graph.list(graph.get(node, 'video'), limit)) {
      if (typeof value !== 'object') continue;
      const file = findUrl(values, graph, value, ['contentUrl']);
      const url = file ?? findUrl(values, graph, value, ['embedUrl']);
      if (url === null) continue;
      const type = file === null ? 'text/html' : findText(graph, value, 'encodingFormat');
      items.push({ ...createItem(url), type, ...findSize(graph, value) });
      if (items.length === limit) return items;
    }
  }
  return items;
}

function toImage(values: PageValues, graph: JsonLdGraph, value: Value): MediaItem | null {
  if (typeof value === 'number') return null;
  if (typeof value === 'string') {
    const url = parseHttpUrl(value, values.base);
    return url === null ? null : createItem(url);
  }
  const url = findUrl(values, graph, value, ['url', 'contentUrl', '@id']);
  if (url === null) return null;
  return { ...createItem(url), alt: findText(graph, value, 'caption'), ...findSize(graph, value) };
}

/** Returns the first of the properties that is an http(s) URL. An id with a fragment is not an image. */
function findUrl(
  values: PageValues,
  graph: JsonLdGraph,
  node: JsonLdNode,
  properties: readonly string[],
): string | null {
  for (const property of properties) {
    for (const value of graph.list(graph.get(node, property), 5)) {
      const text = typeof value === 'object' ? value['@id'] : value;
      if (typeof text !== 'string' || (property === '@id' && text.includes('#'))) continue;
      const url = parseHttpUrl(text, values.base);
      if (url !== null) return url;
    }
  }
  return null;
}

function findSize(graph: JsonLdGraph, node: JsonLdNode): { width: number | null; height: number | null } {
  return { width: findPixels(graph, node, 'width'), height: findPixels(graph, node, 'height') };
}

/** Returns a size: a number, a text, or the value of a node. */
function findPixels(graph: JsonLdGraph, node: JsonLdNode, property: string): number | null {
  const [value] = graph.list(graph.get(node, property), 1);
  if (typeof value !== 'object') return parsePixels(value === undefined ? null : String(value).trim());
  const [inner] = graph.list(graph.get(value, 'value') ?? graph.get(value, 'name'), 1);
  return typeof inner === 'object' || inner === undefined ? null : parsePixels(String(inner).trim());
}

function findText(graph: JsonLdGraph, node: JsonLdNode, property: string): string | null {
  const [text] = graph.list(graph.get(node, property), 1);
  return typeof text === 'string' ? normalizeText(text, 'text') : null;
}
