/** Lists a page's authors, and finds its publisher. */
import type { PageDetails } from '../page/page-metadata.ts';
import type { PageValues } from '../page/page-values.ts';
import { normalizeText, parseHttpUrl } from '../page/text.ts';
import type { JsonLdGraph } from './json-ld-graph.ts';
import type { JsonLdNode } from './json-ld.ts';

type Author = PageDetails['authors'][number];

/** The meta keys of authors, best first. The ones that hold URLs on many pages come later. */
const AUTHOR_KEYS = [
  'author',
  'article:author',
  'og:article:author',
  'parsely-author',
  'sailthru.author',
  'byl',
  'citation_author',
  'dc.creator',
  'dcterms.creator',
  'book:author',
];

const PUBLISHER_KEYS = ['publisher', 'dc.publisher', 'dcterms.publisher', 'citation_publisher'];
const SITE_NAME_KEYS = [
  'application-name',
  'apple-mobile-web-app-title',
  'al:ios:app_name',
  'al:android:app_name',
];

/**
 * Returns the authors by the first source that names any: persons in the JSON-LD, the metas, organizations in
 * the JSON-LD. A meta that holds a URL is the address of the only author.
 */
export function listAuthors(values: PageValues, graph: JsonLdGraph, limit: number): Author[] {
  const { authors, hasPerson } = listJsonLdAuthors(values, graph, limit);
  if (authors.length > 0 && hasPerson) return authors;
  for (const key of AUTHOR_KEYS) {
    const names = values.listRawTexts(key).map(parseAuthorName);
    const found = dedupe(names.filter((name) => name !== null).map((name) => ({ name, url: null })));
    if (found.length === 0) continue;
    if (found.length === 1) found[0]!.url = findAuthorUrl(values);
    return found.slice(0, limit);
  }
  return authors;
}

/** Joins the names. */
export function formatAuthors(authors: readonly Author[]): string | null {
  return authors.length === 0 ? null : authors.map(({ name }) => name).join(', ');
}

function listJsonLdAuthors(values: PageValues, graph: JsonLdGraph, limit: number) {
  for (const node of graph.mainNodes) {
    for (const property of ['author', 'creator']) {
      const authors: Author[] = [];
      let hasPerson = false;
      for (const value of listHolders(graph, node, property, limit)) {
        const names = listNames(graph, value, parseAuthorName);
        const url = isNodeValue(value) && names.length === 1 ? findNodeUrl(values, graph, value) : null;
        authors.push(...names.map((name) => ({ name, url })));
        hasPerson ||= names.length > 0 && !isOrganization(graph, value);
      }
      if (authors.length > 0) return { authors: dedupe(authors).slice(0, limit), hasPerson };
    }
  }
  return { authors: [], hasPerson: false };
}

/** Lists the values of a property. The value of a `Role` is in its property of the same name. */
function listHolders(graph: JsonLdGraph, node: JsonLdNode, property: string, limit: number) {
  return graph
    .list(graph.get(node, property), limit)
    .flatMap((value) =>
      isNodeValue(value) && graph.getTypes(value).some((type) => /^(?:organization)?role$/.test(type))
        ? graph.list(graph.get(value, property), limit)
        : [value],
    );
}

/** Returns the publisher's name: of the JSON-LD, og:site_name, the metas, the web site in the JSON-LD. */
export function findPublisher(values: PageValues, graph: JsonLdGraph): string | null {
  for (const node of graph.mainNodes) {
    const name = findJsonLdName(graph, graph.get(node, 'publisher'));
    if (name !== null) return name;
  }
  const siteName = findMetaName(values, ['og:site_name', ...PUBLISHER_KEYS]);
  if (siteName !== null) return siteName;
  for (const node of graph.topNodes) {
    if (!graph.getTypes(node).includes('website')) continue;
    const name = findJsonLdName(graph, graph.get(node, 'publisher')) ?? findJsonLdName(graph, node);
    if (name !== null) return name;
  }
  return findMetaName(values, SITE_NAME_KEYS);
}

function findMetaName(values: PageValues, keys: readonly string[]): string | null {
  for (const key of keys) {
    for (const text of values.listRawTexts(key)) {
      const name = parseName(text);
      if (name !== null) return name;
    }
  }
  return null;
}

function findJsonLdName(graph: JsonLdGraph, value: unknown): string | null {
  for (const one of graph.list(value)) {
    const [name] = listNames(graph, one, parseName);
    if (name !== undefined) return name;
  }
  return null;
}

/** Returns the names of a person or an organization. `depth` ends a chain of names that are nodes. */
function listNames(
  graph: JsonLdGraph,
  value: string | number | JsonLdNode,
  parse: typeof parseName,
  depth = 0,
): string[] {
  if (typeof value === 'number' || depth > 2) return [];
  if (typeof value === 'string') return toList(parse(value));
  for (const property of ['name', 'legalName', 'alternateName']) {
    const names = graph
      .list(graph.get(value, property))
      .flatMap((name) => listNames(graph, name, parse, depth + 1));
    if (names.length > 0) return names;
  }
  const parts = ['givenName', 'familyName'].map((property) => graph.list(graph.get(value, property))[0]);
  return toList(parse(parts.filter((part) => typeof part === 'string').join(' ')));
}

function findNodeUrl(values: PageValues, graph: JsonLdGraph, node: JsonLdNode): string | null {
  for (const property of ['url', 'sameAs']) {
    for (const value of graph.list(graph.get(node, property))) {
      const text = isNodeValue(value) ? value['@id'] : value;
      const url = typeof text === 'string' ? parseHttpUrl(text, values.base) : null;
      if (url !== null) return url;
    }
  }
  return null;
}

function isOrganization(graph: JsonLdGraph, value: string | number | JsonLdNode): boolean {
  if (!isNodeValue(value)) return false;
  const types = graph.getTypes(value);
  const node =
    types.length > 0
      ? types
      : graph.list(value['@id']).flatMap((found) => (isNodeValue(found) ? graph.getTypes(found) : []));
  return node.some((type) => /organization$|^corporation$|^brand$|^website$/.test(type));
}

/** Returns the URL in an author's meta: `article:author` is a profile by the Open Graph protocol. */
function findAuthorUrl(values: PageValues): string | null {
  for (const key of ['article:author', 'author']) {
    const texts = values.listRawTexts(key).filter((text) => /^https?:/i.test(text.trim()));
    if (texts.length === 1) return parseHttpUrl(texts[0]!, values.base);
  }
  return null;
}

function isNodeValue(value: string | number | JsonLdNode): value is JsonLdNode {
  return typeof value === 'object';
}

function toList(name: string | null): string[] {
  return name === null ? [] : [name];
}

/** Returns each name once, in its first spelling. */
function dedupe(authors: readonly Author[]): Author[] {
  const byName = new Map<string, Author>();
  for (const author of authors) {
    const key = author.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, author);
  }
  return [...byName.values()];
}

// Parses names of people and organizations as pages write them.

/** A longer text is not a name. */
const MAX_NAME_LENGTH = 200;
/** Neither is a longer text with markup. */
const MAX_RAW_LENGTH = 2_000;

/** Texts that templates print without a value. */
const NO_NAMES = new Set(['null', 'undefined', '[object object]', 'n/a', 'none', 'false', '-']);

/**
 * Returns the name of an author in a text: without markup, an email address after it or a `By` before it.
 * Returns null for a handle, and for all that is no name of an organization.
 */
export function parseAuthorName(raw: string): string | null {
  const name = parseText(raw)
    ?.replace(/^[Bb][Yy](?:\s*:\s*|\s+)(?=\p{Lu})/u, '')
    .replace(/^\S+@\S+\s+\((.+)\)$/, '$1')
    .trim();
  return name === undefined || /^(?:@\S*|www\.\S*)$/i.test(name) || !isName(name) ? null : name;
}

/**
 * Returns the name of an organization in a text, without markup. Returns null for a URL, an email address, a
 * text that is too long for a name, and the text of a template without a value. A host may be a name.
 */
export function parseName(raw: string): string | null {
  const name = parseText(raw);
  return name !== null && isName(name) ? name : null;
}

function parseText(raw: string): string | null {
  if (raw.length > MAX_RAW_LENGTH) return null;
  const text = normalizeText(raw.replace(/<[^<>]*>/g, ' '), 'text');
  return text === null || text.length > MAX_NAME_LENGTH ? null : text;
}

function isName(text: string): boolean {
  return text !== '' && !NO_NAMES.has(text.toLowerCase()) && !isAddress(text);
}

/** Returns true for a URL, also without a scheme, a path, and an email address. */
function isAddress(text: string): boolean {
  if (/\s/.test(text)) return /^https?:/i.test(text);
  return /^(?:[a-z][a-z0-9+.-]*:|\/|#)|^[^/]+\.[a-z]{2,}\/|^[^@]+@[^@]+\.[^@.]+$/i.test(text);
}
