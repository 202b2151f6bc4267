import { type FetchResource, type Resource, isFailure } from '#browser';
import { decodeHTMLAttribute } from 'entities';
import { TARGET_COUNTER, rewriteStyleElements, rewriteTargetCounters } from './target-counters.ts';

/** The class of links that show the page number of their target. */
export const LINK_CLASS = 'page-number';

/** The texts of a document that may show page numbers, for Chromium. */
export interface ContentsText {
  html: string;
  css: string | null;
  /** The counter styles of the page numbers that its CSS shows. */
  counterStyles: string[];
  /** It may have links or CSS that show page numbers. */
  hasMarks: boolean;
}

/** Finds what shows page numbers, and rewrites target-counter(). All other texts stay as they are. */
export function prepareContents(html: string, css: string | null): ContentsText {
  const hasCounters = html.includes(TARGET_COUNTER) || css?.includes(TARGET_COUNTER) === true;
  if (!hasCounters) return { html, css, counterStyles: [], hasMarks: html.includes(LINK_CLASS) };
  const styles = new Set<string>();
  return {
    html: rewriteStyleElements(html, styles),
    css: css === null ? null : rewriteTargetCounters(css, styles),
    counterStyles: [...styles],
    hasMarks: true,
  };
}

/** The marks of page numbers in one document. Its style sheets and scripts add to it. */
export class ContentsMarks {
  readonly counterStyles: Set<string>;
  hasMarks: boolean;

  constructor({ counterStyles, hasMarks }: Pick<ContentsText, 'counterStyles' | 'hasMarks'>) {
    this.counterStyles = new Set(counterStyles);
    this.hasMarks = hasMarks;
  }

  addCounterStyles(styles: Iterable<string>): void {
    for (const style of styles) {
      this.counterStyles.add(style);
      this.hasMarks = true;
    }
  }

  /**
   * Returns a fetcher that rewrites target-counter() in style sheets, unless the document has hashes of them,
   * and finds scripts that make links with page numbers, or their styles.
   */
  watch(fetchResource: FetchResource, { html }: { html: string }): FetchResource {
    const mayRewrite = !/integrity/i.test(html);
    return async (request, signal) => {
      const resource = await fetchResource(request, signal);
      if (isFailure(resource)) return resource;
      const type = resource.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
      if (/css/i.test(type) && mayRewrite) return this.#rewrite(resource);
      if (/script|json|html/i.test(type)) this.hasMarks ||= hasMark(toBuffer(resource.body));
      return resource;
    };
  }

  #rewrite(resource: Resource): Resource {
    const body = toBuffer(resource.body);
    if (!body.includes(TARGET_COUNTER)) return resource;
    const styles = new Set<string>();
    // In latin1 each byte is a character, whatever the encoding is.
    const css = rewriteTargetCounters(body.toString('latin1'), styles);
    this.addCounterStyles(styles);
    return { ...resource, body: Buffer.from(css, 'latin1') };
  }
}

function hasMark(source: Buffer): boolean {
  return source.includes(LINK_CLASS) || source.includes(TARGET_COUNTER);
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

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
