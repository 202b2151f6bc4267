/** Indexes the nodes of a page's JSON-LD, and resolves the references between them. */
import { normalizeText } from '../page/text.ts';
import type { JsonLdNode } from './json-ld.ts';

const MAX_INDEXED = 10_000;
const MAX_NODES_PER_ID = 4;
const MAX_CANDIDATES = 200;
/** Ends searches in blocks whose nodes refer to each other without end. */
const MAX_STEPS = 20_000;

/** The statements of a page about itself, by which its nodes are found. */
interface DescribedPage {
  /** Its addresses: the final URL, then those that it declares. */
  urls: readonly string[];
  titles: readonly string[];
  /** True if it says that it is one article. */
  isArticle: boolean;
}

export class JsonLdGraph {
  /** The nodes that describe the page, best first: articles, other content, web pages. */
  readonly mainNodes: readonly JsonLdNode[];
  /** The nodes at the top of the blocks, in order. */
  readonly topNodes: readonly JsonLdNode[];
  #base: string;
  #nodesById = new Map<string, JsonLdNode[]>();
  /** Relative ids, which are looked up many times. */
  #resolvedIds = new Map<string, string>();
  #steps = 0;

  constructor(blocks: readonly unknown[], { urls: pageUrls, titles, isArticle }: DescribedPage) {
    this.#base = pageUrls[0] ?? '';
    this.#index(blocks);
    this.topNodes = this.#listTopNodes(blocks);
    const pageKeys = new Set(pageUrls.map(toPageKey).filter((key) => key !== ''));
    const profiles = this.#listProfiles();
    const candidates = this.topNodes.map((node) => ({
      node,
      types: this.getTypes(node),
      isPage: this.#isAbout(node, pageKeys),
      isProfile: profiles.has(node),
    }));
    const ofPage = candidates.filter(
      ({ node, isPage, isProfile }) => isPage || isProfile || !this.#isOtherPage(node, pageKeys, titles),
    );
    this.mainNodes = chooseMainNodes(ofPage, isArticle);
  }

  /** Returns the value of a node's property, also from other nodes with the same `@id`; else undefined. */
  get(node: JsonLdNode, name: string): unknown {
    const own = getOwn(node, name);
    if (own !== undefined && own !== null && own !== '') return own;
    for (const other of this.#findNodes(getId(node))) {
      const value = getOwn(other, name);
      if (value !== undefined && value !== null && value !== '') return value;
    }
    return undefined;
  }

  /**
   * Lists a property's values: of a list, its elements; of a reference, the node. At most `limit`, and none
   * once the search has taken too many steps.
   */
  list(value: unknown, limit = 50): (string | number | JsonLdNode)[] {
    const found: (string | number | JsonLdNode)[] = [];
    const stack: unknown[] = [value];
    while (stack.length > 0 && found.length < limit) {
      if (this.#steps++ >= MAX_STEPS) break;
      const next = stack.pop();
      if (Array.isArray(next)) stack.push(...next.slice(0, limit).reverse());
      else if (typeof next === 'string') found.push(this.#findNodes(next)[0] ?? next);
      else if (typeof next === 'number') found.push(next);
      else if (isNode(next)) {
        const inner = next['@value'] ?? next['@list'] ?? next['@set'];
        if (inner === undefined) found.push(next);
        else stack.push(inner);
      }
    }
    return found;
  }

  /** Returns the types of a node, in lower case, without the vocabulary. */
  getTypes(node: JsonLdNode): string[] {
    const types = node['@type'] ?? node['type'];
    return (Array.isArray(types) ? types.slice(0, 20) : [types])
      .filter((type) => typeof type === 'string')
      .map((type) =>
        type
          .slice(0, 200)
          .replace(/^(?:https?:\/\/schema\.org\/|schema:)/i, '')
          .toLowerCase(),
      );
  }

  #index(blocks: readonly unknown[]): void {
    const queue: unknown[] = [...blocks];
    for (let at = 0; at < queue.length && at < MAX_INDEXED; at++) {
      const value = queue[at];
      if (value === null || typeof value !== 'object') continue;
      for (const member of Object.values(value)) if (typeof member === 'object') queue.push(member);
      const id = isNode(value) ? this.#resolveId(getId(value)) : null;
      // A node of one member is only a reference.
      if (id === null || Object.keys(value).length < 2) continue;
      const nodes = this.#nodesById.get(id);
      if (nodes === undefined) this.#nodesById.set(id, [value as JsonLdNode]);
      else if (nodes.length < MAX_NODES_PER_ID) nodes.push(value as JsonLdNode);
    }
  }

  #findNodes(id: string | null): readonly JsonLdNode[] {
    if (id === null || this.#nodesById.size === 0) return [];
    const resolved = this.#resolveId(id);
    return (resolved === null ? undefined : this.#nodesById.get(resolved)) ?? [];
  }

  /** Resolves a relative id, as `#author`. */
  #resolveId(id: string | null): string | null {
    if (id === null || id === '' || id.length > 2_000) return null;
    if (!/^[#/?]/.test(id)) return id;
    const known = this.#resolvedIds.get(id);
    if (known !== undefined) return known;
    const resolved = URL.parse(id, this.#base)?.href ?? id;
    this.#resolvedIds.set(id, resolved);
    return resolved;
  }

  /** Lists the nodes of blocks, lists, `@graph` and `mainEntity`. Nodes elsewhere describe other things. */
  #listTopNodes(blocks: readonly unknown[]): JsonLdNode[] {
    const nodes = new Set<JsonLdNode>();
    const queue: unknown[] = [...blocks];
    for (let at = 0; at < queue.length && at < MAX_INDEXED && nodes.size < MAX_CANDIDATES; at++) {
      const value = queue[at];
      if (Array.isArray(value)) queue.push(...value.slice(0, MAX_CANDIDATES));
      if (!isNode(value) || nodes.has(value)) continue;
      if (Object.keys(value).length > 1) nodes.add(value);
      queue.push(value['@graph'], value['mainEntity'], value['mainEntityOfPage']);
    }
    return [...nodes];
  }

  /** Lists the main entities of the profile pages, also those that are only referred to. */
  #listProfiles(): ReadonlySet<unknown> {
    const pages = this.topNodes.filter((node) => this.getTypes(node).includes('profilepage'));
    return new Set(
      pages.flatMap((page) => {
        const entity = page['mainEntity'];
        return [entity, ...(isNode(entity) ? this.#findNodes(getId(entity)) : [])];
      }),
    );
  }

  /** Returns true if the node has one of the page's addresses. */
  #isAbout(node: JsonLdNode, pageKeys: ReadonlySet<string>): boolean {
    const page = node['mainEntityOfPage'];
    if (page === true) return true;
    const addresses = [getId(node), node['url'], page, ...(isNode(page) ? [getId(page), page['url']] : [])];
    return addresses.some(
      (address) => typeof address === 'string' && pageKeys.has(toPageKey(this.#resolveId(address) ?? '')),
    );
  }

  /** Returns true if the node has the address of another page of the host, and not the title of this one. */
  #isOtherPage(node: JsonLdNode, pageKeys: ReadonlySet<string>, titles: readonly string[]): boolean {
    const own = this.get(node, 'url');
    const url = typeof own === 'string' ? URL.parse(own.slice(0, 8_192), this.#base) : null;
    if (url === null) return false;
    const pages = [...pageKeys].map((key) => key.replace(/\?.*$/s, ''));
    const [page] = toPageKey(url.href).split('?', 1);
    const isOnHost = pages.some((key) => key.split('/', 1)[0] === page!.split('/', 1)[0]);
    return isOnHost && !pages.includes(page!) && !isTitled(titles, node['headline'] ?? node['name']);
  }
}

/** Returns true if the titles of the page have the name of the node, or are a part of it. */
function isTitled(titles: readonly string[], name: unknown): boolean {
  const text = typeof name === 'string' ? normalizeText(name, 'text')?.toLowerCase() : undefined;
  if (text === undefined) return false;
  return titles.some((title) => title.toLowerCase().includes(text) || text.includes(title.toLowerCase()));
}

/** Parameters of a query that tell where a visitor came from, not which page this is. */
const TRACKING = /^(?:utm_\w+|(?:fb|g|d|ms|tw|tt|y)clid|[gw]braid|igshid|mc_[ce]id|_g[al]|li_fat_id)$/i;

/** Returns the host, path and query of an address, which are the same for most spellings of it. */
function toPageKey(address: string): string {
  const url = address.length > 8_192 ? null : URL.parse(address);
  if (url === null) return '';
  const page = `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}`;
  if (url.search === '') return page;
  const query = [...url.searchParams].filter(([name]) => !TRACKING.test(name));
  if (query.length === 0) return page;
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return `${page}?${sorted.toString()}`;
}

function isNode(value: unknown): value is JsonLdNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function getId(node: JsonLdNode): string | null {
  const id = node['@id'] ?? node['id'];
  return typeof id === 'string' ? id : null;
}

/** Returns a property under its short, prefixed or full name. */
function getOwn(node: JsonLdNode, name: string): unknown {
  return (
    node[name] ??
    node[`schema:${name}`] ??
    node[`http://schema.org/${name}`] ??
    node[`https://schema.org/${name}`]
  );
}

// Chooses the nodes of a page's JSON-LD that describe the page itself.

const MAX_MAIN_NODES = 20;

const ARTICLES = /(?:article|blogposting|socialmediaposting|discussionforumposting|^report)$/;
const WEB_PAGES = /(?:page|gallery)$/;
/** Nodes that describe something around the content: their dates and images do not describe the page. */
const OTHERS =
  /(?:organization|corporation|business|action|rating|offer)$|^(?:itemlist|breadcrumblist|offercatalog|listitem|person|brand|imageobject|place|postaladdress|contactpoint|website|sitenavigationelement|wpheader|wpfooter|wpsidebar|question|answer|comment)$/;

type Kind = 'article' | 'content' | 'webpage' | 'other';

interface Candidate {
  node: JsonLdNode;
  /** In lower case, without the vocabulary. */
  types: readonly string[];
  /** True if it has the page's address. */
  isPage: boolean;
  /** True for the main entity of a ProfilePage: the person or organization that the page is about. */
  isProfile: boolean;
}

/** Returns the nodes that describe the page, best first: articles, other content, web pages. */
function chooseMainNodes(candidates: readonly Candidate[], isArticle: boolean): JsonLdNode[] {
  const byKind: Record<Kind, Candidate[]> = { article: [], content: [], webpage: [], other: [] };
  // A page that describes one image, and nothing else, is the page of that image.
  const isImagePage = candidates.length === 1 && !isArticle && candidates[0]!.types.includes('imageobject');
  for (const candidate of candidates)
    byKind[isImagePage || candidate.isProfile ? 'content' : getKind(candidate.types)].push(candidate);
  return [
    ...choose(byKind.article, isArticle),
    ...choose(byKind.content, false),
    ...choose(byKind.webpage, false),
  ].slice(0, MAX_MAIN_NODES);
}

/**
 * Returns the nodes with the page's address, else all. If none has it, nodes of one type with different names
 * are probably a list of other pages: they do not count, unless the page is one article.
 */
function choose(nodes: readonly Candidate[], isArticle: boolean): JsonLdNode[] {
  const pages = nodes.filter(({ isPage }) => isPage);
  if (pages.length > 0) return pages.map(({ node }) => node);
  return [...Map.groupBy(nodes, ({ types }) => types[0]).values()].flatMap((group) => {
    const names = new Set(group.map(({ node }) => node['headline'] ?? node['name']));
    if (names.size <= 1) return group.map(({ node }) => node);
    return isArticle ? [group[0]!.node] : [];
  });
}

function getKind(types: readonly string[]): Kind {
  if (types.some((type) => ARTICLES.test(type))) return 'article';
  if (types.some((type) => WEB_PAGES.test(type))) return 'webpage';
  return types.some((type) => OTHERS.test(type)) ? 'other' : 'content';
}
