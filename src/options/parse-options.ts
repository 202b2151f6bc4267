/** Parses the options of an object of a JSON body by their rows, and says what is wrong with them. */
import { ApiError, type ErrorCode } from '#errors';
import { getProperty, type OptionRow, type PropertyName, type SentValue } from './option-row.ts';

/** A JSON object of a request. */
export type Body = Record<string, unknown>;

/** The part of a row that decides whether a value is valid. */
export interface Rules extends Omit<OptionRow, 'description' | 'example' | 'convert'> {
  /**
   * Parses a value of the row's type. Null: it is not as `expected` says. Throws `invalid_parameter`, with
   * `param`, for a fault that has a message of its own.
   */
  parse?: (value: never, rules: Rules, param: string) => unknown;
  /** Completes the message "… must be". `{max}` is maxLength. Of a list: one of its objects as JSON. */
  expected?: string;
  /** The identifier of the error; invalid_parameter by default. */
  code?: ErrorCode;
}

/** The row of an option that is a member of a JSON body. */
export interface MemberRow extends Rules, OptionRow {
  /** Parses this option and those that name it in `parsedWith`, whether the body has them or not. */
  parseBody?: (body: Body) => unknown;
  /** The option that parses this one too, or `documents`: this one has no property in the request. */
  parsedWith?: string;
}
type MemberTable = Readonly<Record<string, MemberRow>>;

type Parsed<R> = R extends { parseBody: (body: Body) => infer V }
  ? V
  : R extends { parse: (...given: never[]) => infer V }
    ? R extends { required: true } | { default: unknown } | { type: 'array' }
      ? NonNullable<V>
      : V | null
    : R extends { required: true } | { default: unknown }
      ? SentValue<R>
      : SentValue<R> | null;

/** The parsed values of a table by their properties. An option that is absent and has no default is null. */
export type ParsedOptions<T> = {
  -readonly [
    N in keyof T as T[N] extends { parsedWith: string } ? never : PropertyName<N, T[N]> & string
  ]: Parsed<T[N]>;
};

/** Parses the options of an object in the order of their rows. `place` precedes their names in messages. */
export function parseOptions<T extends MemberTable>(body: Body, table: T, place = ''): ParsedOptions<T> {
  const rows = Object.entries<MemberRow>(table).filter(([, row]) => row.parsedWith === undefined);
  const values = parseAll(
    ...rows.map(
      ([name, row]) =>
        () =>
          parseOption(body, name, row, place),
    ),
  );
  const entries = rows.map(([name, row], index) => [getProperty(name, row), values[index]]);
  return Object.fromEntries(entries) as ParsedOptions<T>;
}

/** The errors that are thrown before all others, first to last. */
const FIRST_CODES: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_page_size',
  'payload_too_large',
  'missing_html',
];

/** Runs parsers. If several throw, the error with the first code is thrown, and of equal codes the first. */
export function parseAll<T extends readonly unknown[]>(...parsers: { [I in keyof T]: () => T[I] }): T {
  const faults: ApiError[] = [];
  const values = parsers.map((parse) => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      faults.push(error);
      return undefined;
    }
  });
  const rank = ({ code }: ApiError): number => FIRST_CODES.indexOf(code);
  const [first] = faults.sort((one, other) => rank(other) - rank(one));
  if (first) throw first;
  return values as unknown as T;
}

function parseOption(body: Body, name: string, row: MemberRow, place: string): unknown {
  if (row.parseBody) return row.parseBody(body);
  const value = getMember(body, name) ?? row.default;
  if (value === undefined && row.required !== true) return row.type === 'array' ? [] : null;
  return parseValue(value === undefined ? body[name] : value, row, place + name);
}

/** Parses a member by its row. Null if it is absent: the default is not used. */
export function findOption<const R extends Rules>(body: Body, name: string, row: R): Parsed<R> | null {
  const value = getMember(body, name);
  return value === undefined ? null : (parseValue(value, row, name) as Parsed<R>);
}

/** Parses the value of an option: its type, then its choices, its bounds or `parse`. */
function parseValue(value: unknown, rules: Rules, param: string): unknown {
  checkTextSize(value, rules, param);
  const { type, accepts, enum: choices = [], minimum = 0, maximum = Infinity, maxLength = Infinity } = rules;
  if (type === 'boolean')
    return typeof value === 'boolean' ? value : throwNotAString(param, 'true or false', value);
  if (type === 'number')
    return typeof value === 'number' && value >= minimum && value <= maximum
      ? value
      : throwNotAString(param, `a number from ${minimum} to ${maximum}`, value);
  const parseText = (text: string): unknown => (choices.length === 0 || choices.includes(text) ? text : null);
  const parse = (rules.parse ?? parseText) as (value: unknown, rules: Rules, param: string) => unknown;
  if (typeof value === 'string' && value.trim().length > maxLength)
    throwInvalid(param, `${param} must have at most ${maxLength} characters: it is ${describeValue(value)}.`);
  const items = rules.members ? parseMembers(value, rules, param) : value;
  const isTyped = type !== 'string' || accepts !== undefined || typeof value === 'string';
  const expected =
    rules.expected?.replace('{max}', String(maxLength)) ?? (formatChoices(choices) || 'a string');
  return (isTyped ? parse(items, rules, param) : null) ?? throwUnexpected(param, expected, value, rules.code);
}

/** Parses an object, or a list of objects, by the table of their options. */
function parseMembers(value: unknown, rules: Rules, param: string): unknown {
  const table: MemberTable = rules.members?.table ?? {};
  if (rules.type === 'array')
    return parseObjects(value, rules, param, (item, place) => {
      checkNoUnknownOptions(item, table, { place });
      return inPlace(place, () => parseOptions(item, table));
    });
  if (!isObject(value)) throwUnexpected(param, `an object, such as ${rules.expected}`, value);
  checkNoUnknownOptions(value, table, { place: param });
  return parseOptions(value, table, `${param}.`);
}

/** Parses the objects of a list. Throws the errors of `parse`, and `invalid_parameter`. */
export function parseObjects<T>(
  value: unknown,
  { maxItems = 0, expected = '' }: Rules,
  param: string,
  parse: (item: Body, place: string) => T,
): T[] {
  const throwWrong = (found: string): never =>
    throwInvalid(
      param,
      `${param} must be an array of at most ${maxItems} objects, such as ${expected}: it ${found}.`,
    );
  if (!Array.isArray(value)) return throwWrong(`is ${describeValue(value)}`);
  const [, items] = parseAll(
    () => value.length <= maxItems || throwWrong(`has ${value.length}`),
    () =>
      parseAll<T[]>(
        ...value.map((item: unknown, index) => () => {
          const place = `${param}[${index}]`;
          if (!isObject(item)) throwUnexpected(place, `an object, such as ${expected}`, item);
          return parse(item, place);
        }),
      ),
  );
  return items;
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

/** Returns the value of a member; undefined if it is absent or null. */
export function getMember(body: Body, name: string): unknown {
  return Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined;
}

/** Parses a text of one line, trimmed; null if it is blank or has control characters. */
export function parseLine(text: string): string | null {
  const line = text.trim();
  return line !== '' && line.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line) ? line : null;
}

/** Parses the name of a file on every system: no folder, nothing that hides its end. */
export function parseName(text: string): string | null {
  const isName = parseLine(text) === text && !/[\p{Bidi_Control}/\\]/u.test(text) && !/^\.+$/.test(text);
  return isName ? text : null;
}

/** Checks the size of a text. Throws `payload_too_large`. */
function checkTextSize(value: unknown, { maxBytes = Infinity }: Rules, param: string): void {
  const bytes = typeof value === 'string' ? Buffer.byteLength(value, 'utf8') : 0;
  if (bytes > maxBytes)
    throwInvalid(
      param,
      `${param} must be at most ${maxBytes / 1024} KiB of UTF-8: it has ${bytes.toLocaleString('en')} bytes.`,
      'payload_too_large',
    );
}

/** Throws an error that names the member. */
export function throwInvalid(param: string, message: string, code: ErrorCode = 'invalid_parameter'): never {
  throw new ApiError(code, message, { param });
}

/** Throws `invalid_parameter`, which says what the member must be, and what was received. */
export function throwUnexpected(param: string, expected: string, value: unknown, code?: ErrorCode): never {
  throwInvalid(param, `${param} must be ${expected}: it is ${describeValue(value)}.`, code);
}

/** Throws `invalid_parameter`, which says what is wrong with `"1.5"` and `"true"`, which look right. */
function throwNotAString(param: string, expected: string, value: unknown): never {
  if (typeof value === 'string') throwInvalid(param, `${param} must be ${expected}, not a string.`);
  throwUnexpected(param, expected, value);
}

const MAX_SHOWN_CHARACTERS = 60;

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

/** Formats `"a"`, `"a" or "b"`, or `"a", "b" or "c"`. */
export function formatChoices(allowed: readonly string[]): string {
  const quoted = allowed.map((one) => `"${one}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

const MAX_NAMED = 5;
const MAX_NAME_CHARACTERS = 64;

/** Names of other services, without case and separators, and the options that they mean. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Throws `invalid_parameter` if an object has members besides the options of `table`, and names the first
 * ones. `place`: the object, such as `attachments[1]`; the body by default.
 */
export function checkNoUnknownOptions(
  body: object,
  table: object,
  { place, aliases = {} }: { place?: string | undefined; aliases?: Aliases } = {},
): void {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(table, name));
  const first = unknown[0];
  if (first === undefined) return;
  const members = new Set(Object.keys(table));
  const names = unknown.slice(0, MAX_NAMED).map((name) => formatUnknown(name, members, aliases));
  const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : '';
  throw new ApiError(
    'invalid_parameter',
    `${place ?? 'The body'} has unknown members: ${names.join(', ')}${more}. Correct or remove them.`,
    { param: place === undefined ? shorten(first) : `${place}.${shorten(first)}` },
  );
}

function formatUnknown(name: string, members: ReadonlySet<string>, aliases: Aliases): string {
  const meant = name.length > MAX_NAME_CHARACTERS ? null : suggestOptions(name, members, aliases);
  return `${JSON.stringify(shorten(name))}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARACTERS
    ? `${name.slice(0, MAX_NAME_CHARACTERS).toWellFormed()}…`
    : name.toWellFormed();
}

/** The letters of a name per edit that may be a slip. */
const LETTERS_PER_EDIT = 4;

/**
 * Finds the member that an unknown name means, ready for a message: an alias, another spelling (`pageSize`),
 * or a slip (`margin_topp`). Returns null if none is near.
 */
export function suggestOptions(name: string, members: ReadonlySet<string>, aliases: Aliases): string | null {
  const plain = toPlain(name);
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
  if (alias !== undefined && alias.split(/, | or /).every((member) => members.has(member))) return alias;
  let nearest: string | null = null;
  let least = Math.floor(plain.length / LETTERS_PER_EDIT) + 1;
  for (const member of members) {
    const edits = countEdits(plain, toPlain(member));
    if (edits >= least) continue;
    nearest = member;
    least = edits;
  }
  return nearest;
}

function toPlain(name: string): string {
  return name.replace(/[\s_-]+/g, '').toLowerCase();
}

/** Counts the letters to insert, delete, replace or swap with the next one (optimal string alignment). */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isEqual = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isEqual ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? Infinity;
}
