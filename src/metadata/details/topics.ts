/** Lists a page's keywords, section and tags. */
import type { PageValues } from '../page/page-values.ts';
import { normalizeText } from '../page/text.ts';
import type { JsonLdGraph } from './json-ld-graph.ts';

/** A keyword: the commas and semicolons of several scripts separate keywords. */
const KEYWORD = /[^\s,;，、；،][^,;，、；،]*/g;
/** Keywords that may be repeated: more are not read. */
const MAX_WORDS = 1_000;

/**
 * Returns the keywords by the first source that has any: `keywords`, the JSON-LD, the metas of publishers.
 */
export function listKeywords(values: PageValues, graph: JsonLdGraph, limit: number): string[] {
  return firstNotEmpty([
    () => splitAll(values.listTexts('keywords'), limit),
    () => splitAll(listJsonLdTexts(graph, 'keywords'), limit),
    () => splitAll(values.listTexts('news_keywords'), limit),
    () => splitAll(values.listTexts('parsely-tags'), limit),
    () => splitAll(values.listTexts('sailthru.tags'), limit),
    () => splitAll(values.listTexts('dc.subject'), limit),
    () => splitAll(values.listTexts('citation_keywords'), limit),
  ]);
}

/** Returns the tags of the article, or of the video or book that the page is. */
export function listArticleTags(values: PageValues, limit: number): string[] {
  return firstNotEmpty(
    ['article:tag', 'og:article:tag', 'video:tag', 'og:video:tag', 'book:tag'].map(
      (key) => () => dedupe(values.listTexts(key), limit),
    ),
  );
}

export function findSection(values: PageValues, graph: JsonLdGraph): string | null {
  return (
    values.findText(['article:section', 'og:article:section'], true) ??
    listJsonLdTexts(graph, 'articleSection')[0] ??
    values.findText(['parsely-section', 'og:section', 'section', 'category'], true)
  );
}

/** Lists the texts of a property of the first main node that has any; of a node, its name. */
function listJsonLdTexts(graph: JsonLdGraph, property: string): string[] {
  for (const node of graph.mainNodes) {
    const texts = graph.list(graph.get(node, property)).flatMap((value) => {
      const names = typeof value === 'object' ? graph.list(graph.get(value, 'name'), 1) : [value];
      return names.map((name) => (typeof name === 'string' ? normalizeText(name, 'text') : null));
    });
    const found = texts.filter((text) => text !== null);
    if (found.length > 0) return found;
  }
  return [];
}

function splitAll(texts: readonly string[], limit: number): string[] {
  const words: string[] = [];
  for (const text of texts) {
    for (const [word] of text.matchAll(KEYWORD)) {
      words.push(word.trimEnd());
      if (words.length === MAX_WORDS) return dedupe(words, limit);
    }
  }
  return dedupe(words, limit);
}

/** Returns each text once, in its first spelling. */
function dedupe(texts: readonly string[], limit: number): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = text.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, text);
    if (byKey.size === limit) break;
  }
  return [...byKey.values()];
}

function firstNotEmpty(lists: readonly (() => string[])[]): string[] {
  for (const list of lists) {
    const found = list();
    if (found.length > 0) return found;
  }
  return [];
}
