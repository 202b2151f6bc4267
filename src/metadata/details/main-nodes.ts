/** Chooses the nodes of a page's JSON-LD that describe the page itself. */
import type { JsonLdNode } from './json-ld.ts';

const MAX_MAIN_NODES = 20;

const ARTICLES = /(?:article|blogposting|socialmediaposting|discussionforumposting|^report)$/;
const WEB_PAGES = /(?:page|gallery)$/;
/** Nodes that describe something around the content: their dates and images are not those of the page. */
const OTHERS =
  /(?:organization|corporation|business|action|rating|offer)$|^(?:itemlist|breadcrumblist|offercatalog|listitem|person|brand|imageobject|place|postaladdress|contactpoint|website|sitenavigationelement|wpheader|wpfooter|wpsidebar|question|answer|comment)$/;

type Kind = 'article' | 'content' | 'webpage' | 'other';

export interface Candidate {
  node: JsonLdNode;
  /** In lower case, without the vocabulary. */
  types: readonly string[];
  /** True if it has the page's address. */
  isPage: boolean;
  /** True for the main entity of a ProfilePage: the person or organization that the page is about. */
  isProfile: boolean;
}

/** Returns the nodes that describe the page, best first: articles, other content, web pages. */
export function chooseMainNodes(candidates: readonly Candidate[], isArticle: boolean): JsonLdNode[] {
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
