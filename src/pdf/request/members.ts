/** Parsers of the members of a JSON body, by their type. */
import { ApiError } from '#errors';
import type { OptionRow } from '#options';

/** Returns a text of one line, trimmed; null if it is blank, too long, or has control characters. */
export function toLine(value: unknown, maxCharacters: number): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const isUsable =
    text.length > 0 &&
    text.length <= maxCharacters &&
    text.isWellFormed() &&
    !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
  return isUsable ? text : null;
}

/** Checks whether a text is the name of a file on every system: no folder, nothing that hides its end. */
export function isName(text: string, maxCharacters: number): boolean {
  return toLine(text, maxCharacters) === text && !/[\p{Bidi_Control}/\\]/u.test(text) && !/^\.+$/.test(text);
}

/** Runs the parser of a part of the body, such as `more_documents[1]`. Its errors name the part. */
export function inPlace<T>(place: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const param = error.param === undefined ? place : `${place}.${error.param}`;
    throw new ApiError(error.code, `${place}: ${error.message}`, { param, cause: error.cause });
  }
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; none if the member is absent. Throws `invalid_parameter`. */
export function parseObjects(
  name: string,
  value: unknown,
  { max, example }: { max: number; example: string },
): readonly Body[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > max)
    throwInvalid(
      name,
      `${name} must be an array of at most ${max} objects, such as ${example}: ${Array.isArray(value) ? `it has ${value.length}` : `it is ${describeValue(value)}`}.`,
    );
  for (const [index, item] of value.entries())
    if (!isObject(item)) throwUnexpected(`${name}[${index}]`, `an object, such as ${example}`, item);
  return value as Body[];
}

/** A JSON object of a request. */
export type Body = Record<string, unknown>;

/** A row of the tables of generatePdf. */
export interface PdfOptionRow extends OptionRow {
  /**
   * Parses the member `name` of a body, which may be absent. Without it, the row's type, choices and default
   * decide. Throws `invalid_parameter`.
   */
  parse?: (body: Body, name: string, row: OptionRow) => unknown;
  /** The option whose parser parses this one too: this one has no property in the request. */
  parsedWith?: string;
}

const MAX_SHOWN_CHARACTERS = 60;

/** Throws `invalid_parameter`, which names the member. */
export function throwInvalid(param: string, message: string): never {
  throw new ApiError('invalid_parameter', message, { param });
}

/** Throws `invalid_parameter`, which says what the member must be, and what was received. */
export function throwUnexpected(param: string, expected: string, value: unknown): never {
  throwInvalid(param, `${param} must be ${expected}: it is ${describeValue(value)}.`);
}

/** Describes a value of a client: a short one as JSON, any other by its kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length <= MAX_SHOWN_CHARACTERS
      ? JSON.stringify(value)
      : `a string of ${value.length} characters`;
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : (JSON.stringify(value) ?? 'missing');
}

/** Returns the value of a member; undefined if it is absent or null. */
export function getMember(body: Body, name: string): unknown {
  return Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined;
}

/**
 * Checks the size of a text. `place`: the object that has the member, if it is not the body. Throws
 * `payload_too_large`.
 */
export function checkTextSize(body: Body, name: string, maxBytes: number, place?: string): void {
  const value = getMember(body, name);
  if (typeof value !== 'string' || Buffer.byteLength(value, 'utf8') <= maxBytes) return;
  const param = place === undefined ? name : `${place}.${name}`;
  const bytes = Buffer.byteLength(value, 'utf8').toLocaleString('en');
  throw new ApiError(
    'payload_too_large',
    `${param} must be at most ${maxBytes / 1024} KiB of UTF-8: it has ${bytes} bytes.`,
    { param },
  );
}

/** Throws `invalid_parameter`, which says what is wrong with `"1.5"` and `"true"`, which look right. */
export function throwNotAString(param: string, expected: string, value: unknown): never {
  if (typeof value === 'string') throwInvalid(param, `${param} must be ${expected}, not a string.`);
  throwUnexpected(param, expected, value);
}

/** Parses a text. Returns null if it is absent. */
export function parseText(body: Body, name: string): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'string' ? value : throwUnexpected(name, 'a string', value);
}

export function parseBoolean(body: Body, name: string): boolean | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return typeof value === 'boolean' ? value : throwNotAString(name, 'true or false', value);
}

export function parseOneOf<T extends string>(body: Body, name: string, allowed: readonly T[]): T | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return allowed.find((one) => one === value) ?? throwUnexpected(name, formatChoices(allowed), value);
}

/** Formats `"a"`, `"a" or "b"`, or `"a", "b" or "c"`. */
export function formatChoices(allowed: readonly string[]): string {
  const quoted = allowed.map((one) => `"${one}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
