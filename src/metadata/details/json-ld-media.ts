/** Lists the images and videos of the page in its JSON-LD: never the logo of its publisher or a portrait. */
import type { PageValues } from '../page/page-values.ts';
import { normalizeText, parseHttpUrl } from '../page/text.ts';
import type { JsonLdGraph } from './json-ld-graph.ts';
import type { JsonLdNode } from './json-ld.ts';
import { createItem, type MediaItem, parsePixels } from './media-item.ts';

type Value = string | number | JsonLdNode;

const IMAGE_PROPERTIES = ['image', 'primaryImageOfPage', 'thumbnailUrl', 'thumbnail'];

export function listJsonLdImages(values: PageValues, graph: JsonLdGraph, limit: number): MediaItem[] {
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
export function listJsonLdVideos(values: PageValues, graph: JsonLdGraph, limit: number): MediaItem[] {
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
