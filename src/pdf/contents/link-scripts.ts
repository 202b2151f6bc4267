import { decodeHTMLAttribute } from 'entities';
import { MAX_STYLE_CHARACTERS, REWRITE_SCRIPT, TARGET_COUNTER } from './target-counters.ts';

/** The class of links that show the page number of their target. */
export const LINK_CLASS = 'page-number';

/** More names than a document of 5 MiB has. Those of further links are ignored. */
const MAX_NAMES = 20_000;
const MAX_NAMES_LENGTH = 1024 * 1024;

/** A question about the links of a document. */
export interface LinkQuery {
  /** All links may show a number, not only links of the class: CSS decides. */
  hasCounters: boolean;
  /** Fragments whose places must be in the PDF: documents of it link to them. */
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
 * Formats the expression that rewrites target-counter() in style elements and lists the links with page
 * numbers. It lets Chromium write the places of wanted targets, and lets links to missing ones stay links.
 * Its value has a line for each name: `+` and the name if the document has the target, else `-`.
 */
export function formatListLinks(linkQuery: LinkQuery): string {
  return `(({ hasCounters, wanted, hasOthers }) => {${FUNCTIONS}
  const rewrite = ${REWRITE_SCRIPT};
  let characters = 0;
  for (const style of query('style')) {
    const text = style.textContent;
    if (!text.includes('${TARGET_COUNTER}')) continue;
    if ((characters += text.length) > ${MAX_STYLE_CHARACTERS}) break;
    const css = rewrite(text);
    if (css === text) continue;
    style.textContent = css;
    hasCounters = true;
  }
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

/** In place of a page number: it is not known yet, and the target is on no page. */
export const UNKNOWN = 0;
export const NOWHERE = -1;

/**
 * Formats the expression that shows the page numbers of links: as text in a custom property, and as a
 * counter. One that is not known yet has two digits, which are as wide as most numbers.
 */
export function formatShowNumbers(numbers: ReadonlyMap<string, number>): string {
  return `((numbers) => {${FUNCTIONS}
  for (const link of query('a[href*="#"]')) {
    const page = numbers.get(toName(link));
    if (page === undefined) continue;
    const [text, counter] = page === ${UNKNOWN} ? ['00', 10] : [page, page];
    link.style.setProperty('--page-number', page === ${NOWHERE} ? '' : '"' + text + '"');
    link.style.setProperty('counter-set', page === ${NOWHERE} ? '' : '--page-number ' + counter);
  }
})(new Map(${JSON.stringify([...numbers])}))`;
}

const LINK = /href\s{0,20}=\s{0,20}(?:"#([^"]{1,500})"|'#([^']{1,500})'|#([^\s"'<>]{1,500}))/gi;
const MAX_SOURCE_NAMES = 5_000;

/** Finds the fragments that the links in the source of a document refer to, as they are in URLs. */
export function findLinkedNames(html: string): Set<string> {
  const values = new Set<string>();
  for (const [, ...found] of html.matchAll(LINK)) {
    values.add(found.find((one) => one !== undefined) ?? '');
    if (values.size >= MAX_SOURCE_NAMES) break;
  }
  // A document may have a link many times.
  return new Set(
    Array.from(values, (value) => new URL(`#${decodeHTMLAttribute(value)}`, 'about:blank').hash.slice(1)),
  );
}
