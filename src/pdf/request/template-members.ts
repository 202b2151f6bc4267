/** The texts on the pages besides the documents: headers, footers, watermark, and the data of templates. */
import { scanHtml } from '#html';
import { hasHiddenResource } from '../load/scan-css.ts';
import {
  type Body,
  findOption,
  getMember,
  isObject,
  throwInvalid,
  throwUnexpected,
  type Rules,
} from '#options';

/** A watermark: HTML that is printed on a whole sheet, behind or over the content of every page. */
export interface Watermark {
  html: string;
  position: 'behind' | 'over';
}

/** The template language of a request, and the data that its templates are filled with. */
export interface Template {
  language: 'liquid';
  data: Record<string, unknown>;
}

/** A text besides the documents. */
export const TEXT = { type: 'string', maxBytes: 524_288 } as const;

/** Parses the HTML of a header or footer. */
export function parseTemplateText(text: string, _row: Rules, name: string): string {
  checkTemplate(name, text);
  return text;
}

/**
 * Checks that no at-rule in the styles of a header or footer is spelled with escapes: what it loads would not
 * be found, and a renderer crashes if a print template loads a style sheet or a font. Throws ApiError.
 */
export function checkTemplate(param: string, html: string): void {
  for (const { kind, name, start, end } of scanHtml(html)) {
    if (kind !== 'raw' || name !== 'style' || !hasHiddenResource(html.slice(start, end))) continue;
    throwInvalid(
      param,
      `${param} must not have escapes in @import or @font-face: write the characters themselves.`,
    );
  }
}

/** The values of `template`. */
export const LANGUAGE = { type: 'string', enum: ['liquid'] } as const;

/** The limits of `data`: members and elements at every depth; the object itself has depth 1. */
const DATA_LIMITS = { depth: 8, values: 10_000, bytes: 1_048_576 } as const;

/** Parses `template` and `data`. Null: the texts are as they were sent. Throws `payload_too_large` too. */
export function parseTemplate(body: Body): Template | null {
  const data = getMember(body, 'data');
  if (data !== undefined && Buffer.byteLength(JSON.stringify(data), 'utf8') > DATA_LIMITS.bytes)
    throwInvalid('data', 'data must be at most 1 MiB of JSON.', 'payload_too_large');
  const language = findOption(body, 'template', LANGUAGE);
  if (language === null) {
    if (data === undefined) return null;
    return throwInvalid('data', 'data fills a template: send template with the value "liquid" too.');
  }
  return { language, data: parseData(data) };
}

function parseData(data: unknown = {}): Template['data'] {
  if (!isObject(data)) return throwUnexpected('data', 'a JSON object', data);
  const { depth, values } = measure(data);
  if (depth > DATA_LIMITS.depth)
    throwInvalid('data', `data must be nested at most ${DATA_LIMITS.depth} deep: it has ${depth} levels.`);
  if (values > DATA_LIMITS.values)
    throwInvalid('data', `data must have at most 10,000 members and elements in all: it has ${values}.`);
  return data;
}

/** Measures a value without recursion: its levels, and the values inside it. */
function measure(data: object): { depth: number; values: number } {
  let values = 0;
  let depth = 0;
  for (let level: object[] = [data]; level.length > 0; depth += 1) {
    const inside = level.flatMap((value) => Object.values(value) as unknown[]);
    values += inside.length;
    level = inside.filter((value): value is object => typeof value === 'object' && value !== null);
  }
  return { depth, values };
}

/** The values of `watermark_position`. */
export const POSITION = { type: 'string', enum: ['behind', 'over'], default: 'behind' } as const;

/** Parses the watermark; null if the request has none, or a blank one. */
export function parseWatermark(body: Body): Watermark | null {
  const html = findOption(body, 'watermark_html', TEXT);
  const position = findOption(body, 'watermark_position', POSITION);
  if (position !== null && html === null)
    throwInvalid('watermark_position', 'watermark_position needs watermark_html: send both.');
  return html === null || html.trim() === '' ? null : { html, position: position ?? POSITION.default };
}
