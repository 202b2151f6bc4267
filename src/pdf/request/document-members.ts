/**
 * Checks that no at-rule in the styles of a header or footer is spelled with escapes: what it loads would not
 * be found, and a renderer crashes if a print template loads a style sheet or a font. Throws ApiError.
 */
import { scanHtml } from '#html';
import { ApiError } from '#errors';
import type { PdfDocument, Template, Watermark } from './request-parts.ts';
import {
  type Body,
  getMember,
  inPlace,
  isObject,
  parseObjects,
  parseOneOf,
  parseText,
  throwInvalid,
  throwUnexpected,
} from './members.ts';
import { checkNoUnknownMembers } from './check-members.ts';
import { MAX_HTML_BYTES, MAX_MORE_DOCUMENTS } from './limits.ts';
import {
  DEFAULT_MARGINS,
  DEFAULT_MARGIN_TEXTS,
  DEFAULT_SHEET,
  SIDES,
  type Side,
  findCrampedSides,
  parseMargin,
  parsePageSize,
  parseSheet,
} from './sheet-members.ts';

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

/** The limits of `data`: members and elements at every depth; the object itself has depth 1. */
const DATA_LIMITS = { depth: 8, values: 10_000, bytes: 1_048_576 } as const;

/** Checks the size of `data`. Throws `payload_too_large`. */
export function checkDataSize(body: Body): void {
  const data = getMember(body, 'data');
  if (typeof data !== 'object' || data === null) return;
  if (Buffer.byteLength(JSON.stringify(data), 'utf8') <= DATA_LIMITS.bytes) return;
  throw new ApiError('payload_too_large', 'data must be at most 1 MiB of JSON.', { param: 'data' });
}

/** Parses `template` and `data`. Null: the texts are as they were sent. Throws `invalid_parameter`. */
export function parseTemplate(body: Body): Template | null {
  const language = parseOneOf(body, 'template', ['liquid']);
  const data = getMember(body, 'data');
  if (language === null) {
    if (data === undefined) return null;
    return throwInvalid('data', 'data fills a template: send template with the value "liquid" too.');
  }
  return { language, data: parseData(data) };
}

function parseData(data: unknown): Template['data'] {
  if (data === undefined) return {};
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return throwUnexpected('data', 'a JSON object', data);
  const { depth, values } = measure(data);
  if (depth > DATA_LIMITS.depth)
    throwInvalid('data', `data must be nested at most ${DATA_LIMITS.depth} deep: it has ${depth} levels.`);
  if (values > DATA_LIMITS.values)
    throwInvalid('data', `data must have at most 10,000 members and elements in all: it has ${values}.`);
  return data as Template['data'];
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

/** Parses the watermark; null if the request has none, or a blank one. */
export function parseWatermark(body: Body): Watermark | null {
  const html = parseText(body, 'watermark_html');
  const position = parseOneOf(body, 'watermark_position', ['behind', 'over']);
  if (position !== null && getMember(body, 'watermark_html') === undefined)
    throwInvalid('watermark_position', 'watermark_position needs watermark_html: send both.');
  return html === null || html.trim() === '' ? null : { html, position: position ?? 'behind' };
}

/** The documents of a request: their HTML, their sheets and their margins. */
const MORE = 'more_documents';

/** The members of each of `more_documents`. */
const DOCUMENT_MEMBERS: ReadonlySet<string> = new Set(
  'html page_size page_width page_height orientation margin_top margin_bottom margin_left margin_right'.split(
    ' ',
  ),
);

type Html = Pick<PdfDocument, 'html' | 'htmlBytes'>;

/** Parses the HTML of all documents, in their order. Throws `missing_html`, then `payload_too_large`. */
export function parseHtmls(body: Body): readonly [Html, ...Html[]] {
  const first = parseHtml(body['html'], 'html');
  // An item that is no object has another error, after those of HTML.
  const more = listItems(body).map((item, index) =>
    isObject(item) ? parseHtml(item['html'], `${MORE}[${index}].html`) : NO_HTML,
  );
  let bytes = 0;
  for (const [index, { htmlBytes }] of [first, ...more].entries()) {
    bytes += htmlBytes;
    if (bytes > MAX_HTML_BYTES) throw htmlTooLarge(index);
  }
  return [first, ...more];
}

const NO_HTML: Html = { html: '', htmlBytes: 0 };

function listItems(body: Body): readonly unknown[] {
  const items = getMember(body, MORE);
  return Array.isArray(items) ? items : [];
}

function parseHtml(value: unknown, param: string): Html {
  if (typeof value === 'string' && value.trim() !== '')
    return { html: value, htmlBytes: Buffer.byteLength(value, 'utf8') };
  const message = param === 'html' ? undefined : `${param} must be a string that is not blank.`;
  throw new ApiError('missing_html', message, { param });
}

function htmlTooLarge(index: number): ApiError {
  const whose = index === 0 ? 'html' : `html and the html of ${MORE} together`;
  return new ApiError(
    'payload_too_large',
    `${whose} may have at most 5 MiB (5,242,880 bytes of UTF-8): send ${index === 0 ? 'a smaller document' : 'smaller documents'}.`,
    { param: index === 0 ? 'html' : `${MORE}[${index - 1}].html` },
  );
}

/** Parses the first document. Throws `invalid_parameter`. */
export function parseDocument(body: Body, html: Html): PdfDocument {
  const document = {
    ...html,
    sheet: parseSheet(body, parsePageSize(body)),
    margins: {
      top: parseMargin(body, 'margin_top'),
      bottom: parseMargin(body, 'margin_bottom'),
      left: parseMargin(body, 'margin_left'),
      right: parseMargin(body, 'margin_right'),
    },
  };
  checkContentArea(document);
  return document;
}

/** Checks the page size of each document. Throws `invalid_page_size`. */
export function checkPageSizes(body: Body): void {
  parsePageSize(body);
  for (const [index, item] of listItems(body).entries())
    if (isObject(item)) inPlace(`${MORE}[${index}]`, () => parsePageSize(item));
}

/** Parses the documents that follow the first. Throws `invalid_parameter`. */
export function parseMoreDocuments(body: Body, htmls: readonly Html[]): PdfDocument[] {
  const items = parseObjects(MORE, getMember(body, MORE), {
    max: MAX_MORE_DOCUMENTS,
    example: '{"html": "<h1>Terms</h1>"}',
  });
  return items.map((item, index) => {
    const place = `${MORE}[${index}]`;
    checkNoUnknownMembers(item, DOCUMENT_MEMBERS, place);
    return inPlace(place, () =>
      parseDocument({ ...item, ...inheritSheet(body, item) }, htmls[index] as Html),
    );
  });
}

/** Returns the members of the request that an item leaves out. A page size excludes a width and a height. */
function inheritSheet(body: Body, item: Body): Body {
  const has = (name: string): boolean => getMember(item, name) !== undefined;
  const hasSides = has('page_width') || has('page_height');
  const excluded = (name: string): boolean =>
    name === 'html' ||
    (name === 'page_size' && hasSides) ||
    ((name === 'page_width' || name === 'page_height') && has('page_size'));
  const inherited = [...DOCUMENT_MEMBERS].filter((name) => !has(name) && !excluded(name));
  return Object.fromEntries(inherited.map((name) => [name, getMember(body, name)]));
}

function checkContentArea({ sheet, margins: given }: PdfDocument): void {
  const margins = Object.fromEntries(
    SIDES.map((side) => [side, given[side] ?? DEFAULT_MARGINS[side]]),
  ) as Record<Side, number>;
  const cramped = findCrampedSides(sheet ?? DEFAULT_SHEET, margins);
  if (!cramped) return;
  const [first, second] = cramped;
  const format = (side: Side): string =>
    `margin_${side}${given[side] === null ? ` (${DEFAULT_MARGIN_TEXTS[side]} by default)` : ''}`;
  const wider = margins[first] >= margins[second] ? first : second;
  const named = given[wider] === null ? (wider === first ? second : first) : wider;
  throw new ApiError(
    'invalid_parameter',
    `${format(first)} and ${format(second)} leave less than 10 mm of the page between them: send smaller margins.`,
    { param: `margin_${named}` },
  );
}
