import { decodeHTMLAttribute } from 'entities';

const LINK = /href\s{0,20}=\s{0,20}(?:"#([^"]{1,500})"|'#([^']{1,500})'|#([^\s"'<>]{1,500}))/gi;
const MAX_NAMES = 5_000;

/** Finds the fragments that the links in the source of a document refer to, as they are in URLs. */
export function findLinkedNames(html: string): Set<string> {
  const names = new Set<string>();
  for (const [, ...values] of html.matchAll(LINK)) {
    const value = values.find((one) => one !== undefined) ?? '';
    names.add(toFragment(value.includes('&') ? decodeHTMLAttribute(value) : value));
    if (names.size >= MAX_NAMES) break;
  }
  return names;
}

function toFragment(text: string): string {
  return new URL(`#${text}`, 'about:blank').hash.slice(1);
}
