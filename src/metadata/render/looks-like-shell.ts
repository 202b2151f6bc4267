import type { PageTags } from '../page/page-tags.ts';
import { countMarkup, type MarkupCounts } from './count-markup.ts';

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
