import { VOID_ELEMENTS } from '#html';

/** Elements whose end tag is implied by that of the element around them. */
const IMPLIED = new Set(
  'p li dt dd option optgroup rb rt rtc rp caption colgroup thead tbody tfoot tr td th'.split(' '),
);
/** Elements whose end tag closes nothing else: the parser moves or keeps what is open in them. */
const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label map mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
);
/** The elements whose content is not HTML, and those in them whose content is. */
const FOREIGN = new Set(['svg', 'math']);
const INTEGRATION = new Set(['foreignobject', 'desc', 'annotation-xml', 'mtext', 'mi', 'mo', 'mn', 'ms']);

/**
 * The stack of open elements of a balanced template. Names the end tags that a parser needs to leave nothing
 * open: `<b><div></b>` leaves the div open, and `<div><b></div>` makes all that follows bold.
 */
export class OpenTags {
  readonly #elements: { name: string; isForeign: boolean }[] = [];

  get size(): number {
    return this.#elements.length;
  }

  /** Adds the element of a start tag. Returns false if it has no content. */
  open(name: string, source: string): boolean {
    const isForeign = FOREIGN.has(name) || (this.#elements.at(-1)?.isForeign ?? false);
    if (VOID_ELEMENTS.has(name) || (isForeign && source.endsWith('/>'))) return false;
    this.#elements.push({ name, isForeign: isForeign && !INTEGRATION.has(name) });
    return true;
  }

  /** Removes the last element of this name. Returns the end tags of those in it; null if none is open. */
  close(name: string): string | null {
    const at = this.#elements.findLastIndex((element) => element.name === name);
    if (at < 0) return null;
    const inner = this.#elements.splice(at).slice(1);
    return formatEndTags(inner, { isInline: INLINE.has(name) });
  }

  /** Removes all elements, and returns their end tags. */
  closeAll(): string {
    return formatEndTags(this.#elements.splice(0), { isInline: false });
  }
}

function formatEndTags(elements: readonly { name: string }[], { isInline }: { isInline: boolean }): string {
  return elements
    .filter(({ name }) => isInline || !IMPLIED.has(name))
    .toReversed()
    .map(({ name }) => `</${name}>`)
    .join('');
}
