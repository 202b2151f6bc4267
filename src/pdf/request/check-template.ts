import { ApiError } from '#errors';
import { decodeHTML } from 'entities';

/**
 * Checks that a header or footer loads no external style sheet or font: Chromium's print templates cannot,
 * and its renderer crashes on the attempt. Decodes entities and CSS escapes first. Throws ApiError.
 */
export function checkTemplate(param: 'header_html' | 'footer_html', html: string | null): void {
  if (html === null) return;
  const text = unescapeCss(decodeHTML(html));
  const external = findExternal(text);
  if (external === null) return;
  throw new ApiError(
    'invalid_parameter',
    `${param} must not load ${external}: put the rules into a <style> element, and fonts into data: URLs.`,
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

/** Decodes the escapes of CSS Syntax 3 §4.3.7. */
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
