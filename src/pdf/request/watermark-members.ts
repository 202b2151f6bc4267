import { getMember, parseOneOf, parseText, throwInvalid, type Body } from './members.ts';
import type { Watermark } from './request-parts.ts';

/** Parses the watermark; null if the request has none, or a blank one. */
export function parseWatermark(body: Body): Watermark | null {
  const html = parseText(body, 'watermark_html');
  const position = parseOneOf(body, 'watermark_position', ['behind', 'over']);
  if (position !== null && getMember(body, 'watermark_html') === undefined)
    throwInvalid('watermark_position', 'watermark_position needs watermark_html: send both.');
  return html === null || html.trim() === '' ? null : { html, position: position ?? 'behind' };
}
