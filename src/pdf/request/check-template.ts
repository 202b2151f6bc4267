import { ApiError } from '#errors';
import { decodeHTML } from 'entities';

/**
 * Refuses a header or footer that asks for a style sheet or a font from elsewhere: Chromium's print template cannot
 * load one and its renderer crashes on the attempt. Entities and CSS escapes are undone first, as they spell the same.
 */
export function checkTemplate(param: 'header_html' | 'footer_html', html: string | null): void {
  if (html === null) return;
  const text = unescapeCss(decodeHTML(html));
  const what = findExternal(text);
  if (what === null) return;
  throw new ApiError(
    'invalid_parameter',
    `${param} must not load ${what}: put the rules into a <style> element, and fonts into data: URLs.`,
    { param },
  );
}

function findExternal(text: string): string | null {
  if (/<\/?link(?![a-z-])/i.test(text)) return 'an external style sheet (<link>)';
  if (/@import/i.test(text)) return 'an external style sheet (@import)';
  const face = text.search(/@font-face/i);
  return face >= 0 && /url\((?!\s*(?:["']\s*)?data:)/i.test(text.slice(face))
    ? 'an external font (@font-face)'
    : null;
}

/** Undoes the escapes of CSS Syntax 3 §4.3.7. */
function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:([0-9a-f]{1,6})[\t\n\f\r ]?|([^\n\f\r]))/gi,
    (_all, hex: string | undefined, char: string | undefined) => {
      if (hex === undefined) return char ?? '';
      const code = Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
}
