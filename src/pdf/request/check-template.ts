import { scanHtml } from '#html';
import { ApiError } from '#errors';

/**
 * Checks that no at-rule in the styles of a header or footer is spelled with escapes: what it loads would not
 * be found, and a renderer crashes if a print template loads a style sheet or a font. Throws ApiError.
 */
export function checkTemplate(param: string, html: string | null): void {
  if (html === null) return;
  for (const { kind, name, start, end } of scanHtml(html)) {
    if (kind !== 'raw' || name !== 'style' || !hasHiddenResource(html.slice(start, end))) continue;
    throw new ApiError(
      'invalid_parameter',
      `${param} must not have escapes in @import or @font-face: write the characters themselves.`,
      { param },
    );
  }
}

/** Checks for escapes in at-keywords and in @font-face rules. The style of an SVG may have references too. */
export function hasHiddenResource(css: string): boolean {
  if (/@[\w-]*(?:\\|&#)/.test(css)) return true;
  return css.split('}').some((block) => {
    const at = block.search(/@font-face/i);
    return at >= 0 && /\\|&#/.test(block.slice(at));
  });
}
