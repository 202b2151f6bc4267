/** Finds the times at which a page was published and modified. */
import type { PageValues } from '../page/page-values.ts';
import { normalizeText } from '../page/text.ts';
import type { JsonLdGraph } from './json-ld-graph.ts';
import { parseDate } from './parse-date.ts';

interface TimeSources {
  /** The meta keys that precede the JSON-LD. */
  metas: readonly string[];
  jsonLd: readonly string[];
  /** Meta keys that may mean something else. */
  otherMetas: readonly string[];
}

const PUBLISHED: TimeSources = {
  metas: ['article:published_time', 'og:article:published_time', 'og:published_time', 'article:published'],
  jsonLd: ['datePublished', 'uploadDate', 'dateCreated'],
  otherMetas: [
    'datepublished',
    'parsely-pub-date',
    'sailthru.date',
    'citation_publication_date',
    'citation_online_date',
    'pubdate',
    'publishdate',
    'publish_date',
    'publication_date',
    'dc.date.issued',
    'dcterms.issued',
    'dc.date.created',
    'dcterms.created',
    'dc.date',
    'dcterms.date',
    'date',
    'book:release_date',
    'music:release_date',
    'video:release_date',
  ],
};

const MODIFIED: TimeSources = {
  metas: ['article:modified_time', 'og:article:modified_time'],
  jsonLd: ['dateModified'],
  otherMetas: [
    'og:updated_time',
    'datemodified',
    'dc.date.modified',
    'dcterms.modified',
    'last-modified',
    'lastmod',
    'revised',
  ],
};

/** A time in ISO 8601, and the text that it was parsed from. */
export interface FoundTime {
  iso: string | null;
  raw: string | null;
}

export function findPublishedTime(values: PageValues, graph: JsonLdGraph): FoundTime {
  return findTime(values, graph, PUBLISHED);
}

export function findModifiedTime(values: PageValues, graph: JsonLdGraph): FoundTime {
  return findTime(values, graph, MODIFIED);
}

/**
 * Returns the first date of the first source that has a text with a number, else that text: a date that
 * cannot be read is better than one that may be wrong. Without such a source, the first text.
 */
function findTime(values: PageValues, graph: JsonLdGraph, sources: TimeSources): FoundTime {
  let first: string | null = null;
  for (const texts of iterateSources(values, graph, sources)) {
    for (const raw of texts) {
      const iso = parseDate(raw);
      if (iso !== null) return { iso, raw };
    }
    // Templates print zeros for a date that they do not have.
    const unread = texts.find((text) => /[1-9]/.test(text));
    if (unread !== undefined) return { iso: null, raw: unread };
    first ??= texts[0] ?? null;
  }
  return { iso: null, raw: first };
}

/** Yields the texts of each source, best first. */
function* iterateSources(values: PageValues, graph: JsonLdGraph, sources: TimeSources): Generator<string[]> {
  for (const key of sources.metas) yield values.listTexts(key);
  for (const node of graph.mainNodes) {
    for (const property of sources.jsonLd) {
      yield graph
        .list(graph.get(node, property))
        .map((value) => (typeof value === 'object' ? null : normalizeText(String(value), 'text')))
        .filter((text) => text !== null);
    }
  }
  for (const key of sources.otherMetas) yield values.listTexts(key);
}
