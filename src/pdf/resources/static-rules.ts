import type { HtmlToken } from '#html';

/** Elements that run, frame or play something, move, or look different where scripting is disabled. */
const NEVER_STATIC = new Set(
  [
    'iframe frame frameset fencedframe object embed applet portal',
    'video audio canvas marquee',
    'animate animatemotion animatetransform set',
  ].flatMap((names) => names.split(' ')),
);

/** Event handlers that only a user's action calls. */
const INERT_HANDLER =
  /^on(?:click|dblclick|auxclick|contextmenu|mouse\w+|pointer\w+|touch\w+|key\w+|drag\w*|drop|submit|reset|change|input|select|copy|cut|paste|wheel)$/;

/**
 * `http-equiv` pragmas that Chromium ignores, and the one for the character set, which a document in a
 * request does not need. The others redirect, restrict or change the page, also for the next document.
 */
const INERT_META = new Set([
  'content-type',
  'x-ua-compatible',
  'cache-control',
  'pragma',
  'expires',
  'last-modified',
  'imagetoolbar',
  'cleartype',
  'content-script-type',
  'content-style-type',
  'reply-to',
  'msthemecompatible',
]);

/** The types of scripts that a browser runs or interprets (HTML standard §4.12.1); any other is data. */
const RUN_TYPE =
  /^(?:module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/(?:jscript|livescript|javascript1\.\d))$/;

/** Checks for elements that need a page of their own. */
export function isNeverStatic(element: string): boolean {
  return NEVER_STATIC.has(element);
}

/** Checks whether no printed document calls an event handler. */
export function isInertHandler(attribute: string): boolean {
  return INERT_HANDLER.test(attribute);
}

/** Checks whether a meta element with this `http-equiv` changes nothing. */
export function isInertMeta(equivalent: string): boolean {
  return INERT_META.has(equivalent.trim().toLowerCase());
}

/** Checks whether a script element with this type is a block of data. */
export function isInertScript(type: string | undefined): boolean {
  const essence = (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence !== '' && !RUN_TYPE.test(essence);
}

/**
 * Returns the language in lower case if Chromium selects fonts for Han characters by it (Japanese, Korean,
 * Chinese); null for any other.
 */
export function toHanLanguage(language: string): string | null {
  const isHan = /^(?:ja|ko|zh)(?:-|$)|-(?:hans|hant|jpan|kore|hk|jp|kr|mo|tw)(?:-|$)/i.test(language);
  return isHan ? language.toLowerCase() : null;
}

const LANGUAGE = /lang\s{0,9}=\s{0,9}["']?([\w-]{1,40})/gi;
/** What sets the language of text without a `lang` attribute. */
const OTHER_LANGUAGE = /content-language|webkit-locale/i;

/**
 * Returns the languages that select fonts for Han characters in a document, each once; null if it may have
 * others that its source does not show.
 */
export function findHanLanguages(html: string): string[] | null {
  if (OTHER_LANGUAGE.test(html)) return null;
  const found = Array.from(html.matchAll(LANGUAGE), ([, language = '']) => toHanLanguage(language));
  return [...new Set(found.filter((language) => language !== null))];
}

/**
 * Finds where a token may mean something else to the parser of a browser than to a scan of the source:
 * within elements that have a syntax of their own (HTML standard §13.2.6.4.16 and §13.2.6.5).
 */
export class AmbiguousContent {
  readonly #html: string;
  /** The elements that the scan may be in, by name. */
  readonly #open = new Map([
    ['svg', 0],
    ['math', 0],
    ['select', 0],
  ]);
  #openCount = 0;

  constructor(html: string) {
    this.#html = html;
  }

  /** The scan may be in one of these elements. */
  get isInside(): boolean {
    return this.#openCount > 0;
  }

  /** Takes the next token. Returns true if its meaning is not certain. */
  check(token: HtmlToken): boolean {
    if (hasOwnSyntax(token.name)) this.#count(token);
    return this.#openCount > 0 && this.#isAmbiguous(token);
  }

  #count({ kind, name, end }: HtmlToken): void {
    const open = this.#open.get(name) ?? 0;
    // Only foreign elements can be empty.
    const isOpened = kind === 'start' && (name === 'select' || !this.#html.endsWith('/>', end));
    const change = isOpened ? 1 : kind === 'end' && open > 0 ? -1 : 0;
    this.#open.set(name, open + change);
    this.#openCount += change;
  }

  #isAmbiguous({ kind, name, start, end }: HtmlToken): boolean {
    const source = this.#html.slice(start, end);
    if (kind === 'comment') return source.startsWith('<![');
    if (kind === 'raw') return source.includes('<') || (name === 'style' && source.includes('&'));
    return kind === 'start' && (name === 'template' || name === 'noscript');
  }
}

/** Looking a name up takes longer: its hash is not known yet. */
function hasOwnSyntax(name: string): boolean {
  return name === 'svg' || name === 'math' || name === 'select';
}
