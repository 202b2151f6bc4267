import { decodeHTMLAttribute } from 'entities';

const LINK = /href\s{0,20}=\s{0,20}(?:"#([^"]{1,500})"|'#([^']{1,500})'|#([^\s"'<>]{1,500}))/gi;
const MAX_NAMES = 5_000;

/** Finds the fragments that the links in the source of a document refer to, as they are in URLs. */
export function findLinkedNames(html: string): Set<string> {
  const values = new Set<string>();
  for (const [, ...found] of html.matchAll(LINK)) {
    values.add(found.find((one) => one !== undefined) ?? '');
    if (values.size >= MAX_NAMES) break;
  }
  // A document may have a link many times.
  return new Set(
    Array.from(values, (value) => toFragment(value.includes('&') ? decodeHTMLAttribute(value) : value)),
  );
}

function toFragment(text: string): string {
  return new URL(`#${text}`, 'about:blank').hash.slice(1);
}
