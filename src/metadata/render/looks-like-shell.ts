/** A loading message, or a sentence that asks for JavaScript. */
import { parseAttributes } from '#html';
import type { PageTags } from '../page/page-tags.ts';

const MAX_SHELL_CHARACTERS = 120;
/** A page that leads on by a script may say so, with a link. */
const MAX_REDIRECT_CHARACTERS = 300;
/** A logo, a spinner, a link. */
const MAX_SHELL_ELEMENTS = 3;

/** Checks whether a page declares an og: tag or a description, as pages for link previews do. */
export function hasCard({ metas }: Pick<PageTags, 'metas'>): boolean {
  return metas.some(({ key }) => key.startsWith('og:') || DESCRIPTIONS.has(key));
}

const DESCRIPTIONS = new Set(['description', 'twitter:description']);

/**
 * Checks whether scripts have yet to draw a page, or lead to another one: it has scripts, hardly any text, no
 * form, table or media, and an empty element to draw in, or nothing at all, or a script that sets the
 * location. The body ends at its first sign of content, so an ordinary page costs little.
 */
export function looksLikeShell(html: Uint8Array, tags: Pick<PageTags, 'metas'>): boolean {
  if (hasCard(tags)) return false;
  const counts = countMarkup(Buffer.from(html.buffer, html.byteOffset, html.byteLength).toString('latin1'), {
    maxCharacters: MAX_REDIRECT_CHARACTERS,
    maxElements: MAX_SHELL_ELEMENTS,
  });
  return counts !== null && counts.scripts > 0 && (counts.setsLocation || isEmpty(counts));
}

function isEmpty({ characters, elements, emptyElements }: MarkupCounts): boolean {
  return characters <= MAX_SHELL_CHARACTERS && (emptyElements > 0 || characters + elements === 0);
}

/** The markup of a page that a visitor sees before any script has run. */
interface MarkupCounts {
  /** Scripts that run. */
  scripts: number;
  /** A script without a source assigns to `location` or calls its methods. */
  setsLocation: boolean;
  /** Characters of text, without white space. */
  characters: number;
  /** Links, images and headings. */
  elements: number;
  /** Elements of the body without content, in which a script may draw. */
  emptyElements: number;
}

/**
 * Elements that no visitor sees, or that are seen only without scripts, and those whose content is text; each
 * with the start of its end tag.
 */
const SKIPPED = new Map(
  ['script', 'style', 'noscript', 'template', 'title', 'svg', 'math'].map((name) => [
    name,
    new RegExp(`</${name}`, 'gi'),
  ]),
);
/** Elements of pages that have content without scripts. */
const CONTENT = new Set(
  (
    'article audio blockquote button canvas dd embed fieldset form frame frameset iframe input object pre ' +
    'select table textarea video xmp'
  ).split(' '),
);
/** Elements that a shell may have a few of. */
const COUNTED = new Set(['a', 'area', 'h1', 'h2', 'h3', 'img', 'li', 'p', 'picture']);
/** Elements in which scripts draw; and elements with a hyphen in their name. */
const MOUNTS = new Set(['app', 'div', 'main', 'root', 'section']);

const TAG_NAME = /<(\/?)([a-z][^\s/>]*)/iy;
/** The types of scripts that run. */
const RUN_TYPE = /^(?:$|module\b|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;
const SETS_LOCATION =
  /\blocation\s*(?:\.\s*href\s*)?=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\(|\bnavigation\s*\.\s*navigate\s*\(/;
/** A redirect is short. */
const MAX_REDIRECT_SCRIPT = 4_096;
/** The markup of a shell is short, except for the contents of scripts and styles. */
const MAX_MARKUP = 262_144;

interface MarkupLimits {
  maxCharacters: number;
  maxElements: number;
}

/**
 * Counts the markup of a page; null as soon as it exceeds a limit or has content. Takes linear time, most of
 * it for MAX_MARKUP characters.
 */
function countMarkup(html: string, limits: MarkupLimits): MarkupCounts | null {
  return new MarkupCounter(html, limits).count();
}

class MarkupCounter {
  readonly #html: string;
  readonly #limits: MarkupLimits;
  readonly #counts: MarkupCounts = {
    scripts: 0,
    setsLocation: false,
    characters: 0,
    elements: 0,
    emptyElements: 0,
  };
  #at = 0;
  /** The characters before `#at` in elements that are not looked into. */
  #skipped = 0;
  /** The start tag before, if nothing but white space and comments came after it. */
  #opened = '';

  constructor(html: string, limits: MarkupLimits) {
    this.#html = html;
    this.#limits = limits;
  }

  count(): MarkupCounts | null {
    for (;;) {
      if (this.#at - this.#skipped > MAX_MARKUP) return null;
      const start = this.#indexOf('<', this.#at);
      if (!this.#countText(start)) return null;
      if (start >= this.#html.length) return this.#counts;
      if (!this.#countTag(start)) return null;
    }
  }

  /** Counts the text up to `end`. Returns false beyond the limit. */
  #countText(end: number): boolean {
    for (let at = this.#at; at < end; at += 1) {
      if (this.#html.charCodeAt(at) <= 0x20) continue;
      this.#counts.characters += 1;
      this.#opened = '';
      if (this.#counts.characters > this.#limits.maxCharacters) return false;
    }
    return true;
  }

  /** Counts the tag, comment or `<` at `start`. Returns false if the page has content. */
  #countTag(start: number): boolean {
    TAG_NAME.lastIndex = start;
    const match = TAG_NAME.exec(this.#html);
    if (match === null) {
      const isComment = this.#html.startsWith('<!--', start);
      this.#at = isComment ? this.#indexOf('-->', start) + 3 : this.#indexOf('>', start) + 1;
      return true;
    }
    const nameEnd = TAG_NAME.lastIndex;
    this.#at = this.#findTagEnd(nameEnd);
    const name = match[2]!.toLowerCase();
    return match[1] === '/' ? this.#countEnd(name) : this.#countStart(name, nameEnd);
  }

  #countStart(name: string, nameEnd: number): boolean {
    const endTag = SKIPPED.get(name);
    if (endTag !== undefined) {
      const contents = this.#at;
      this.#skipTo(endTag);
      if (name === 'script')
        this.#countScript(this.#html.slice(nameEnd, contents), this.#html.slice(contents, this.#at));
      return true;
    }
    this.#opened = name;
    if (COUNTED.has(name)) this.#counts.elements += 1;
    return !CONTENT.has(name) && this.#counts.elements <= this.#limits.maxElements;
  }

  #countEnd(name: string): boolean {
    const isMount = MOUNTS.has(name) || name.includes('-');
    if (isMount && this.#opened === name) this.#counts.emptyElements += 1;
    this.#opened = '';
    return true;
  }

  #countScript(attributes: string, source: string): void {
    if (!isRun(attributes)) return;
    this.#counts.scripts += 1;
    if (/\bsrc\s*=/i.test(attributes) || this.#counts.setsLocation) return;
    this.#counts.setsLocation = SETS_LOCATION.test(source.slice(0, MAX_REDIRECT_SCRIPT));
  }

  /** Returns the position after the `>` of a tag; those in the values of attributes do not count. */
  #findTagEnd(from: number): number {
    for (let at = from; at < this.#html.length; at += 1) {
      const character = this.#html[at]!;
      if (character === '>') return at + 1;
      if (character === '"' || character === "'") at = this.#indexOf(character, at + 1);
    }
    return this.#html.length;
  }

  /** Goes on at the end tag of an element that is not looked into. */
  #skipTo(endTag: RegExp): void {
    endTag.lastIndex = this.#at;
    const end = endTag.exec(this.#html)?.index ?? this.#html.length;
    this.#skipped += end - this.#at;
    this.#at = end;
  }

  /** Returns the position of `text`, or the end of the page. */
  #indexOf(text: string, from: number): number {
    const at = this.#html.indexOf(text, from);
    return at < 0 ? this.#html.length : at;
  }
}

/** Checks whether a script with these attributes, up to the `>` of its tag, runs. */
function isRun(attributes: string): boolean {
  if (!/type/i.test(attributes)) return true;
  const bytes = Buffer.from(attributes, 'latin1');
  const type = parseAttributes(bytes, 0, bytes.length).get('type');
  return type === undefined || RUN_TYPE.test(bytes.toString('latin1', type.start, type.end).trim());
}
