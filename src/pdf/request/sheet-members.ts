/** The sheet and the margins of a document: their options, in CSS lengths, and their values in CSS pixels. */
import { ApiError } from '#errors';
import {
  type Body,
  type PdfOptionRow,
  describeValue,
  getMember,
  parseOneOf,
  throwInvalid,
  throwUnexpected,
} from './members.ts';

export const PIXELS_PER_INCH = 96;
export const PIXELS_PER_MM = PIXELS_PER_INCH / 25.4;

/** CSS pixels in each absolute unit of CSS Values 4 §6.2. */
const PIXELS: Record<string, number> = {
  px: 1,
  in: PIXELS_PER_INCH,
  cm: PIXELS_PER_INCH / 2.54,
  mm: PIXELS_PER_MM,
  q: PIXELS_PER_MM / 4,
  pt: PIXELS_PER_INCH / 72,
  pc: PIXELS_PER_INCH / 6,
};

/**
 * Parses an absolute CSS length that is not negative (`20mm`, `.5in`, `0`) to CSS pixels. Returns null for
 * anything else: percentages, relative units, calc(), a number without a unit other than zero.
 */
export function parseCssLength(text: string): number | null {
  const match = /^\+?(\d+(?:\.\d+)?|\.\d+)(e[+-]?\d{1,3})?([a-z]{1,2})?$/i.exec(text.trim());
  if (!match) return null;
  const value = Number(`${match[1]}${match[2] ?? ''}`);
  if (match[3] === undefined) return value === 0 ? 0 : null;
  const unit = PIXELS[match[3].toLowerCase()];
  return unit === undefined || !Number.isFinite(value) ? null : value * unit;
}

export interface Sheet {
  width: number;
  height: number;
}

/** The sheets in portrait (ISO 216; ANSI/ASME Y14.1). */
const PAGE_SIZES = {
  A4: { width: 210 * PIXELS_PER_MM, height: 297 * PIXELS_PER_MM },
  Letter: { width: 8.5 * PIXELS_PER_INCH, height: 11 * PIXELS_PER_INCH },
  Legal: { width: 8.5 * PIXELS_PER_INCH, height: 14 * PIXELS_PER_INCH },
  A3: { width: 297 * PIXELS_PER_MM, height: 420 * PIXELS_PER_MM },
  A5: { width: 148 * PIXELS_PER_MM, height: 210 * PIXELS_PER_MM },
} as const satisfies Record<(typeof SHEET_OPTIONS.page_size.enum)[number], Sheet>;

export const DEFAULT_SHEET: Sheet = PAGE_SIZES.A4;

type PageSize = keyof typeof PAGE_SIZES;
type Orientation = 'portrait' | 'landscape';
export type Side = 'top' | 'bottom' | 'left' | 'right';
export const SIDES: readonly Side[] = ['top', 'bottom', 'left', 'right'];

const margin = (name: string, text: string, description: string) =>
  ({
    type: 'string',
    default: text,
    parsedWith: 'documents',
    description,
    example: '12mm',
    flag: { summary: `${name} margin, ${text} by default`, placeholder: 'length' },
    control: { label: 'Margins', joinedAs: 'margins' },
  }) as const;

/** The options of the sheet, in the request and in each later document. */
export const SHEET_OPTIONS = {
  page_size: {
    type: 'string',
    enum: ['A4', 'Letter', 'Legal', 'A3', 'A5'],
    default: 'A4',
    parsedWith: 'documents',
    description: 'The sheet.',
    example: 'Letter',
    flag: { summary: 'The sheet, A4 by default', placeholder: 'size' },
    control: { label: 'Page size', excludedBy: ['page_width', 'page_height'] },
  },
  page_width: {
    type: 'string',
    parsedWith: 'documents',
    description:
      'Width of a sheet of another size: a CSS length from 10mm to 5080mm, together with page_height and without page_size.',
    example: '80mm',
    flag: { summary: 'Width of a sheet of another size, such as 80mm', placeholder: 'length' },
    control: {
      group: 'Page and rendering',
      label: 'Page width',
      hint: 'In place of the page size: 100mm',
    },
  },
  page_height: {
    type: 'string',
    parsedWith: 'documents',
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
  margin_top: margin('Top', '20mm', 'Top margin: a CSS length in mm, cm, in, px, pt, pc or Q, or 0.'),
  margin_bottom: margin('Bottom', '20mm', 'Bottom margin: a length like margin_top.'),
  margin_left: margin('Left', '15mm', 'Left margin: a length like margin_top.'),
  margin_right: margin('Right', '15mm', 'Right margin: a length like margin_top.'),
} as const satisfies Record<string, PdfOptionRow>;

/** The default margins as CSS lengths, for messages. */
export const DEFAULT_MARGIN_TEXTS = mapSides((side) => SHEET_OPTIONS[`margin_${side}`].default);

/** The default margins, in CSS pixels. */
export const DEFAULT_MARGINS = mapSides((side) => parseCssLength(DEFAULT_MARGIN_TEXTS[side]) ?? 0);

/** The sides that a sheet may have. PDF viewers show no sheet longer than 200 in (ISO 32000-1, annex C). */
const MIN_SIDE_MM = 10;
const MAX_SIDE_MM = 5_080;

const MIN_CONTENT_PIXELS = 10 * PIXELS_PER_MM;
const ROUNDING_PIXELS = 1e-6;

/** Turns a sheet: the longer side of a landscape sheet is its width. */
function orient({ width, height }: Sheet, orientation: Orientation): Sheet {
  const [short, long] = width < height ? [width, height] : [height, width];
  return orientation === 'landscape' ? { width: long, height: short } : { width: short, height: long };
}

/** Checks whether a sheet may have a side of this length in CSS pixels. */
function isSheetSide(length: number): boolean {
  return (
    length >= MIN_SIDE_MM * PIXELS_PER_MM - ROUNDING_PIXELS &&
    length <= MAX_SIDE_MM * PIXELS_PER_MM + ROUNDING_PIXELS
  );
}

/** Finds the pair of margins that leave less than 10 mm of the sheet between them; null if there is none. */
export function findCrampedSides(sheet: Sheet, margins: Record<Side, number>): readonly [Side, Side] | null {
  const isCramped = (length: number): boolean => !(length >= MIN_CONTENT_PIXELS - ROUNDING_PIXELS);
  if (isCramped(sheet.height - margins.top - margins.bottom)) return ['top', 'bottom'];
  if (isCramped(sheet.width - margins.left - margins.right)) return ['left', 'right'];
  return null;
}

function mapSides<T>(map: (side: Side) => T): Record<Side, T> {
  return { top: map('top'), bottom: map('bottom'), left: map('left'), right: map('right') };
}

const WIDTH = 'page_width';
const HEIGHT = 'page_height';

/** Parses the name of a sheet. Throws `invalid_page_size`. */
export function parsePageSize(body: Body): PageSize | null {
  const value = getMember(body, 'page_size');
  if (value === undefined) return null;
  if (typeof value === 'string' && Object.hasOwn(PAGE_SIZES, value)) return value as PageSize;
  const choices = Object.keys(PAGE_SIZES).join(', ');
  throw new ApiError(
    'invalid_page_size',
    `page_size must be one of ${choices} (case matters): it is ${describeValue(value)}.`,
    { param: 'page_size' },
  );
}

/**
 * Parses the sheet: a page size, or a width and a height, turned by the orientation. Null if the request has
 * none of them.
 */
export function parseSheet(body: Body, pageSize: PageSize | null): Sheet | null {
  const orientation = parseOneOf(body, 'orientation', SHEET_OPTIONS.orientation.enum);
  const sides = parseSides(body);
  if (sides !== null && pageSize !== null)
    throwInvalid(WIDTH, `${WIDTH} and ${HEIGHT} cannot be combined with page_size: leave one of them out.`);
  if (sides === null && pageSize === null && orientation === null) return null;
  const sheet = sides ?? PAGE_SIZES[pageSize ?? 'A4'];
  return orientation === null ? sheet : orient(sheet, orientation);
}

function parseSides(body: Body): Sheet | null {
  const width = parseSide(body, WIDTH);
  const height = parseSide(body, HEIGHT);
  if (width !== null && height !== null) return { width, height };
  if (width === null && height === null) return null;
  const [given, missing] = width === null ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
  return throwInvalid(missing, `${given} needs ${missing}: send both.`);
}

function parseSide(body: Body, name: string): number | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  const length = typeof value === 'string' ? parseCssLength(value) : null;
  return length !== null && isSheetSide(length)
    ? length
    : throwUnexpected(
        name,
        `a string with a CSS length from ${MIN_SIDE_MM}mm to ${MAX_SIDE_MM}mm, such as "100mm" or "4in"`,
        value,
      );
}

/** Parses a margin to CSS pixels. */
export function parseMargin(body: Body, name: string): number | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  const length = typeof value === 'string' ? parseCssLength(value) : null;
  return (
    length ??
    throwUnexpected(
      name,
      'a string with a CSS length in mm, cm, in, px, pt, pc or Q that is not negative, such as "20mm"',
      value,
    )
  );
}
