/**
 * The documents of a request: their HTML, their sheets and their margins. Lengths are CSS lengths in options,
 * and CSS pixels (1/96 in) in what is parsed.
 */
import { ApiError } from '#errors';
import {
  type Body,
  checkNoUnknownOptions,
  findOption,
  getMember,
  inPlace,
  isObject,
  type MemberRow,
  parseAll,
  parseObjects,
  throwInvalid,
} from '#options';
import {
  DEFAULT_SHEET,
  orient,
  PAGE_SIZES,
  parseCssLength,
  PIXELS_PER_MM,
  type Sheet,
  type Side,
  SIZES,
} from '../page-geometry.ts';
import { ALIASES } from './foreign-names.ts';

const margin = (name: string, text: string, description: string) =>
  ({
    type: 'string',
    default: text,
    parsedWith: 'documents',
    parse: parseCssLength,
    expected:
      'a string with a CSS length in mm, cm, in, px, pt, pc or Q that is not negative, such as "20mm"',
    description,
    example: '12mm',
    flag: { summary: `${name} margin, ${text} by default`, placeholder: 'length' },
    control: { label: 'Margins', joinedAs: 'margins' },
  }) as const;

/** The sides that a sheet may have. PDF viewers show no sheet longer than 200 in (ISO 32000-1, annex C). */
const MIN_SIDE_MM = 10;
const MAX_SIDE_MM = 5_080;

const SIDE = {
  type: 'string',
  parsedWith: 'documents',
  parse: parseSheetSide,
  expected: `a string with a CSS length from ${MIN_SIDE_MM}mm to ${MAX_SIDE_MM}mm, such as "100mm" or "4in"`,
} as const;

/** The options of the sheet, in the request and in each later document. */
export const SHEET_OPTIONS = {
  page_size: {
    type: 'string',
    enum: SIZES,
    code: 'invalid_page_size',
    expected: `one of ${SIZES.join(', ')} (case matters)`,
    default: 'A4',
    parsedWith: 'documents',
    description: 'The sheet.',
    example: 'Letter',
    refused: { page_size: 'a4' },
    flag: { summary: 'The sheet, A4 by default', placeholder: 'size' },
    control: { label: 'Page size', excludedBy: ['page_width', 'page_height'] },
  },
  page_width: {
    ...SIDE,
    description:
      'Width of a sheet of another size: a CSS length from 10mm to 5080mm, together with page_height and without page_size.',
    example: '80mm',
    flag: { summary: 'Width of a sheet of another size, such as 80mm', placeholder: 'length' },
    control: { group: 'Page and rendering', label: 'Page width', hint: 'In place of the page size: 100mm' },
  },
  page_height: {
    ...SIDE,
    description: 'Height of a sheet of another size: a length like page_width, together with it.',
    example: '200mm',
    flag: { summary: 'Height of a sheet of another size', placeholder: 'length' },
    control: { group: 'Page and rendering', label: 'Page height', hint: 'Together with the width: 62mm' },
  },
  orientation: {
    type: 'string',
    enum: ['portrait', 'landscape'],
    default: 'portrait',
    parsedWith: 'documents',
    description: 'landscape makes the longer side of the sheet its width.',
    example: 'landscape',
    flag: { summary: 'portrait or landscape', placeholder: 'name' },
    control: { label: 'Orientation', labels: { portrait: 'Portrait', landscape: 'Landscape' } },
  },
  margin_top: {
    ...margin('Top', '20mm', 'Top margin: a CSS length in mm, cm, in, px, pt, pc or Q, or 0.'),
    refused: { margin_top: '20' },
  },
  margin_bottom: margin('Bottom', '20mm', 'Bottom margin: a length like margin_top.'),
  margin_left: margin('Left', '15mm', 'Left margin: a length like margin_top.'),
  margin_right: margin('Right', '15mm', 'Right margin: a length like margin_top.'),
} as const satisfies Record<string, MemberRow>;

/** The default margins, in CSS pixels. */
export const DEFAULT_MARGINS = mapSides(
  (side) => parseCssLength(SHEET_OPTIONS[`margin_${side}`].default) ?? 0,
);

const MIN_CONTENT_PIXELS = 10 * PIXELS_PER_MM;
const ROUNDING_PIXELS = 1e-6;

/** Parses the side of a sheet to CSS pixels. */
function parseSheetSide(text: string): number | null {
  const length = parseCssLength(text) ?? 0;
  const isSide =
    length >= MIN_SIDE_MM * PIXELS_PER_MM - ROUNDING_PIXELS &&
    length <= MAX_SIDE_MM * PIXELS_PER_MM + ROUNDING_PIXELS;
  return isSide ? length : null;
}

function mapSides<T>(map: (side: Side) => T): Record<Side, T> {
  return { top: map('top'), bottom: map('bottom'), left: map('left'), right: map('right') };
}

/** The sheet of a document and its margins. Lengths are CSS pixels (1/96 in). */
interface PageLayout {
  /** Null: the document's @page rule decides, and without one it is DEFAULT_SHEET. */
  sheet: Sheet | null;
  /** Null: the document's @page rule decides, and without one it is DEFAULT_MARGINS. */
  margins: Record<Side, number | null>;
}

/** Parses the sheet and the margins of a document, which must leave 10 mm of the sheet in each direction. */
function parseSheet(body: Body): PageLayout {
  const sheet = findSheet(body);
  const margins = mapSides((side) => findOption(body, `margin_${side}`, SHEET_OPTIONS[`margin_${side}`]));
  const { width, height } = sheet ?? DEFAULT_SHEET;
  checkBetween(height, ['top', 'bottom'], margins);
  checkBetween(width, ['left', 'right'], margins);
  return { sheet, margins };
}

/** Finds the sheet: a page size, or a width and a height, turned by the orientation. */
function findSheet(body: Body): Sheet | null {
  const pageSize = findOption(body, 'page_size', SHEET_OPTIONS.page_size);
  const orientation = findOption(body, 'orientation', SHEET_OPTIONS.orientation);
  const width = findOption(body, 'page_width', SHEET_OPTIONS.page_width);
  const height = findOption(body, 'page_height', SHEET_OPTIONS.page_height);
  if (width === null && height !== null)
    throwInvalid('page_width', 'page_height needs page_width: send both.');
  if (width !== null && height === null)
    throwInvalid('page_height', 'page_width needs page_height: send both.');
  if (width !== null && pageSize !== null)
    throwInvalid(
      'page_width',
      'page_width and page_height cannot be combined with page_size: leave one of them out.',
    );
  if (width === null && pageSize === null && orientation === null) return null;
  const sheet = width === null || height === null ? PAGE_SIZES[pageSize ?? 'A4'] : { width, height };
  return orientation === null ? sheet : orient(sheet, orientation);
}

/** Returns the margins of a request, with the default ones in place of those that it does not have. */
export function completeMargins(margins: Readonly<Record<Side, number | null>>): Record<Side, number> {
  return mapSides((side) => margins[side] ?? DEFAULT_MARGINS[side]);
}

function checkBetween(
  length: number,
  [first, second]: readonly [Side, Side],
  margins: Record<Side, number | null>,
): void {
  const measure = (side: Side): number => margins[side] ?? DEFAULT_MARGINS[side];
  if (length - measure(first) - measure(second) >= MIN_CONTENT_PIXELS - ROUNDING_PIXELS) return;
  const format = (side: Side): string =>
    `margin_${side}${margins[side] === null ? ` (${SHEET_OPTIONS[`margin_${side}`].default} by default)` : ''}`;
  const [wider, other] = measure(first) >= measure(second) ? [first, second] : [second, first];
  throwInvalid(
    `margin_${margins[wider] === null ? other : wider}`,
    `${format(first)} and ${format(second)} leave less than 10 mm of the page between them: send smaller margins.`,
  );
}

/** A document of a request, and its sheet. */
export interface PdfDocument extends PageLayout {
  html: string;
  /** UTF-8 bytes of `html`. */
  htmlBytes: number;
}

const MORE = 'more_documents';

/** UTF-8 bytes of all documents of a request together. */
export const MAX_HTML_BYTES = 5_242_880;

/** The options of each of `more_documents`. */
export const DOCUMENT_OPTIONS = {
  html: {
    type: 'string',
    required: true,
    description: 'HTML content of this document.',
    example: '<h1>Terms</h1>',
  },
  ...SHEET_OPTIONS,
} as const;

/** Parses the documents of a request in order. `row` describes `more_documents`. */
export function parseDocuments(body: Body, row: MemberRow): readonly [PdfDocument, ...PdfDocument[]] {
  const items = getMember(body, MORE) ?? [];
  const [first, , more] = parseAll(
    () => parseDocument(body, body),
    () => checkHtmlSize([body, ...(Array.isArray(items) ? items : [])]),
    () =>
      parseObjects(items, row, MORE, (item, place) => {
        const [, document] = parseAll(
          () => checkNoUnknownOptions(item, DOCUMENT_OPTIONS, { place, aliases: ALIASES }),
          () => inPlace(place, () => parseDocument(item, { ...item, ...inheritSheet(body, item) })),
        );
        return document;
      }),
  );
  return [first, ...more];
}

/** Parses a document. `body` has its members; a member that it omits comes from the request. */
function parseDocument(item: Body, body: Body): PdfDocument {
  const { html } = item;
  const message = item === body ? undefined : 'html must be a string that is not blank.';
  const [text, layout] = parseAll(
    () => {
      if (typeof html === 'string' && html.trim() !== '') return html;
      throw new ApiError('missing_html', message, { param: 'html' });
    },
    () => parseSheet(body),
  );
  return { html: text, htmlBytes: Buffer.byteLength(text, 'utf8'), ...layout };
}

function checkHtmlSize(documents: readonly unknown[]): void {
  let bytes = 0;
  for (const [index, document] of documents.entries()) {
    const html = isObject(document) ? document['html'] : undefined;
    bytes += typeof html === 'string' ? Buffer.byteLength(html, 'utf8') : 0;
    if (bytes <= MAX_HTML_BYTES) continue;
    const [param, all, smaller] =
      index === 0
        ? ['html', 'html', 'a smaller document']
        : [`${MORE}[${index - 1}].html`, `html and the html of ${MORE} together`, 'smaller documents'];
    throwInvalid(
      param,
      `${all} may have at most 5 MiB (5,242,880 bytes of UTF-8): send ${smaller}.`,
      'payload_too_large',
    );
  }
}

/** Returns the members of the request that an item leaves out. A page size excludes a width and a height. */
function inheritSheet(body: Body, item: Body): Body {
  const has = (name: string): boolean => getMember(item, name) !== undefined;
  const hasSides = has('page_width') || has('page_height');
  const excluded = (name: string): boolean =>
    name === 'html' ||
    (name === 'page_size' && hasSides) ||
    ((name === 'page_width' || name === 'page_height') && has('page_size'));
  const inherited = Object.keys(DOCUMENT_OPTIONS).filter((name) => !has(name) && !excluded(name));
  return Object.fromEntries(inherited.map((name) => [name, getMember(body, name)]));
}
