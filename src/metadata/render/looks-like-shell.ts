import { type HtmlToken, scanAttributes, scanHtml } from '#html';
import type { PageTags } from '../page/page-tags.ts';

/** A loading message, or a sentence that asks for JavaScript. */
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
 * location. Stops at the first sign of content, so an ordinary page costs little.
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

/** Elements whose text no visitor sees, or only without scripts, and pictures. */
const HIDDEN = new Set(['math', 'noscript', 'svg', 'template']);
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

/** The types of scripts that run. */
const RUN_TYPE = /^(?:$|module\b|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;
const SETS_LOCATION =
  /\blocation\s*(?:\.\s*href\s*)?=(?!=)|\blocation\s*\.\s*(?:replace|assign)\s*\(|\bnavigation\s*\.\s*navigate\s*\(/;
/** A redirect is short. */
const MAX_REDIRECT_SCRIPT = 4_096;
/** The markup of a shell is short, except for the contents of scripts and styles. */
const MAX_TOKENS = 50_000;
const MAX_SCRIPT_TAG = 16_384;

interface MarkupLimits {
  maxCharacters: number;
  maxElements: number;
}

/** Counts the markup of a page; null as soon as it exceeds a limit or has content. Takes linear time. */
function countMarkup(html: string, limits: MarkupLimits): MarkupCounts | null {
  const counter = new MarkupCounter(html, limits);
  let tokens = 0;
  for (const token of scanHtml(html)) {
    tokens += 1;
    if (tokens > MAX_TOKENS || !counter.add(token)) return null;
  }
  return counter.counts;
}

class MarkupCounter {
  readonly counts: MarkupCounts = {
    scripts: 0,
    setsLocation: false,
    characters: 0,
    elements: 0,
    emptyElements: 0,
  };
  readonly #html: string;
  readonly #limits: MarkupLimits;
  /** The hidden element that the scan is in. */
  #hidden: string | null = null;
  /** The start tag before, if nothing but white space and comments came after it. */
  #opened = '';
  /** The last script runs, and its source is in the page. */
  #isSource = false;

  constructor(html: string, limits: MarkupLimits) {
    this.#html = html;
    this.#limits = limits;
  }

  /** Counts a token. Returns false if the page has content or exceeds a limit. */
  add(token: HtmlToken): boolean {
    const { kind, name } = token;
    if (this.#hidden !== null) {
      if (kind === 'end' && name === this.#hidden) this.#hidden = null;
      return true;
    }
    if (kind === 'text') return this.#countText(token);
    if (kind === 'start') return this.#countStart(token);
    if (kind === 'end') this.#countEnd(name);
    else if (kind === 'raw' && name === 'script') this.#countSource(token);
    return true;
  }

  #countText({ start, end }: HtmlToken): boolean {
    for (let at = start; at < end; at += 1) {
      if (this.#html.charCodeAt(at) <= 0x20) continue;
      this.counts.characters += 1;
      this.#opened = '';
      if (this.counts.characters > this.#limits.maxCharacters) return false;
    }
    return true;
  }

  #countStart(token: HtmlToken): boolean {
    const { name } = token;
    if (name === 'script') return this.#countScript(token);
    if (HIDDEN.has(name)) this.#hidden = name;
    else if (name !== 'style' && name !== 'title') this.#opened = name;
    if (COUNTED.has(name)) this.counts.elements += 1;
    return !CONTENT.has(name) && this.counts.elements <= this.#limits.maxElements;
  }

  #countEnd(name: string): void {
    const isMount = MOUNTS.has(name) || name.includes('-');
    if (isMount && this.#opened === name) this.counts.emptyElements += 1;
    this.#opened = '';
  }

  #countScript({ start, end }: HtmlToken): boolean {
    if (end - start > MAX_SCRIPT_TAG) return false;
    const attributes = scanAttributes(this.#html, start + '<script'.length, end);
    const type = attributes.find(({ name }) => name === 'type')?.value ?? '';
    const isRun = RUN_TYPE.test(type.trim());
    if (isRun) this.counts.scripts += 1;
    this.#isSource = isRun && !attributes.some(({ name }) => name === 'src');
    return true;
  }

  #countSource({ start, end }: HtmlToken): void {
    if (!this.#isSource || this.counts.setsLocation) return;
    const source = this.#html.slice(start, Math.min(end, start + MAX_REDIRECT_SCRIPT));
    this.counts.setsLocation = SETS_LOCATION.test(source);
  }
}
