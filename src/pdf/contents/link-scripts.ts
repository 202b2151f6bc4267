import { LINK_CLASS } from './contents-marks.ts';

/** More names than a document of 5 MiB has. Those of further links are ignored. */
const MAX_NAMES = 20_000;
const MAX_NAMES_LENGTH = 1024 * 1024;

/** A question about the links of a document. */
export interface LinkQuery {
  /** All links may show a number, not only links of the class: CSS decides. */
  hasCounters: boolean;
  /** Fragments that documents of the PDF link to. */
  wanted: readonly string[];
  /** Targets that the document does not have may be in another one. */
  hasOthers: boolean;
}

/**
 * The links of a document with a page number: the fragments of their URLs, as they are written in URLs. True
 * if the document has the target.
 */
export type DocumentLinks = ReadonlyMap<string, boolean>;

/**
 * The functions of both scripts. They run in an isolated world, where neither scripts nor named elements of
 * the document can replace what they call.
 */
const FUNCTIONS = `
  const query = (selector) => [...document.querySelectorAll(selector)];
  const withoutHash = (url) => url.replace(/#[^]*$/, '');
  const toName = (link) => {
    const url = URL.parse(link.getAttribute('href'), link.baseURI);
    const isOwn = url !== null && withoutHash(url.href) === withoutHash(link.baseURI);
    return isOwn ? url.hash.slice(1) : '';
  };`;

/**
 * Formats the expression that lists the links with page numbers. It lets Chromium write the places of wanted
 * targets, and lets links to missing ones stay links. Its value has a line for each name: `+` and the name if
 * the document has the target, else `-`.
 */
export function formatListLinks(linkQuery: LinkQuery): string {
  return `(({ hasCounters, wanted, hasOthers }) => {${FUNCTIONS}
  const byId = (id) => document.getElementById(id);
  let anchors = null;
  const hasAnchor = (name) => (anchors ??= new Set(query('a[name]').map((a) => a.getAttribute('name')))).has(name);
  const decode = (name) => {
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  };
  const has = (name) =>
    [name, decode(name)].some((id) => byId(id) !== null || hasAnchor(id)) || /^top$/i.test(name);
  const holder = query('head')[0] ?? query(':root')[0];
  const hide = (attribute, value) => {
    const link = document.createElement('a');
    link.setAttribute(attribute, value);
    link.style.setProperty('display', 'none', 'important');
    holder?.append(link);
  };
  const shows = (link) =>
    ['::before', '::after'].some((part) => !/^(?:none|normal)$/.test(getComputedStyle(link, part).content));
  const found = new Map();
  let length = 0;
  let isStyled = false;
  for (const link of query('a[href*="#"],area[href*="#"]')) {
    const name = toName(link);
    if (name === '' || found.size >= ${MAX_NAMES}) continue;
    const hasClass = link.classList.contains('${LINK_CLASS}');
    isStyled ||= hasClass;
    const before = found.get(name);
    if (before?.isNumbered || (before && !hasClass && !hasCounters)) continue;
    const isHere = before?.isHere ?? has(name);
    const isNumbered = hasClass || (hasCounters && (isHere || shows(link)));
    if (!before && (length += name.length) > ${MAX_NAMES_LENGTH}) continue;
    found.set(name, { isHere, isNumbered });
  }
  if (isStyled) {
    const style = document.createElement('style');
    style.textContent = '@layer{a.${LINK_CLASS}[href*="#"]::after{content:var(--page-number,"")}}';
    holder?.prepend(style);
  }
  for (const name of wanted) if (!found.has(name) && has(name)) hide('href', '#' + name);
  let lines = '';
  for (const [name, { isHere, isNumbered }] of found) {
    if (!isHere && hasOthers) hide('id', name);
    if (isNumbered) lines += (isHere ? '+' : '-') + name + '\\n';
  }
  return lines;
})(${JSON.stringify(linkQuery)})`;
}

/** Parses the value of that expression. */
export function parseLinks(value: unknown): DocumentLinks {
  const lines = typeof value === 'string' ? value.split('\n').slice(0, -1) : [];
  return new Map(lines.map((line) => [line.slice(1), line.startsWith('+')]));
}

/**
 * Formats the expression that sets the page numbers of links. `texts` has the values of `properties` for each
 * name.
 */
export function formatShowNumbers(
  properties: readonly string[],
  texts: ReadonlyMap<string, readonly string[]>,
): string {
  return `((properties, texts) => {${FUNCTIONS}
  for (const link of query('a[href*="#"]')) {
    const values = texts.get(toName(link));
    if (values) properties.forEach((property, at) => link.style.setProperty(property, '"' + values[at] + '"'));
  }
})(${JSON.stringify(properties)}, new Map(${JSON.stringify([...texts])}))`;
}
