/** Maps the social tags of a page to their contents. */
import type { PageValues } from '../page/page-values.ts';

/** `og:`, `twitter:`, `article:`, and the other vocabularies that pages use with them. */
const PREFIX = /^(?:al|article|books?|fb|music|og|product|profile|twitter|video):/;
const KEY = /^[a-z0-9_:.-]+$/;
const MAX_KEYS = 200;
const MAX_CONTENTS = 50;
/** A meta with several keys would otherwise multiply its content in the response. */
const MAX_CHARACTERS = 100_000;

/**
 * Returns the contents of each tag in the order of the page: at most 200 tags, 50 contents of each, and
 * 100,000 characters in all.
 */
export function mapTags(values: PageValues): Record<string, string[]> {
  const byKey = new Map<string, string[]>();
  let characters = 0;
  for (const { key, content } of values.tags.metas) {
    if (!PREFIX.test(key) || !KEY.test(key)) continue;
    const contents = byKey.get(key) ?? [];
    if (contents.length === MAX_CONTENTS || (contents.length === 0 && byKey.size === MAX_KEYS)) continue;
    const text = values.getText(content);
    if (text === null) continue;
    characters += key.length + text.length;
    if (characters > MAX_CHARACTERS) break;
    contents.push(text);
    byKey.set(key, contents);
  }
  return Object.fromEntries(byKey);
}
