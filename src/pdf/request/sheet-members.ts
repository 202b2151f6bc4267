import { ApiError } from '#errors';
import { parseCssLength } from './css-length.ts';
import { describeValue, getMember, parseOneOf, throwInvalid, throwUnexpected, type Body } from './members.ts';
import {
  isSheetSide,
  MAX_SIDE_MM,
  MIN_SIDE_MM,
  orient,
  PAGE_SIZES,
  type PageSize,
  type Sheet,
} from './page-geometry.ts';

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
  const orientation = parseOneOf(body, 'orientation', ['portrait', 'landscape']);
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
