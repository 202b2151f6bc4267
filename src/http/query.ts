/**
 * Query strings, by RFC 3986: `+` is a plus sign (a route may name parameters in which it is a space),
 * percent-encoding must be valid UTF-8. Every parameter is
 * known and given once. The schema of a route lists its parameters: strings, choices, booleans, bounded
 * integers.
 */
import { ApiError } from '#errors';
import type { Static, TObject } from 'typebox';

interface PropertySchema {
  type?: string | string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  /** The values of a choice. */
  enum?: readonly unknown[];
  /** The same, each as `const`. */
  anyOf?: { const?: unknown }[];
}

/** Rules that a route adds to its schema. */
interface QueryRules {
  /** Checks one parameter before all others. `check` gets its decoded text, or undefined if it is missing. */
  first?: { name: string; check: (value: string | undefined) => void };
  /** A sentence for the error about an unknown parameter. */
  unknownHint?: string;
  /** True if a parameter with an empty value counts as not given, as a form sends what is not chosen. */
  skipsEmpty?: boolean;
  /**
   * Parameters in which `+` is a space, as form encoders write it. No valid value of theirs has a plus sign.
   */
  plusAsSpace?: readonly string[];
}

type QueryValue = string | number | boolean;
type ParseValue = (text: string) => QueryValue;

const HIGH_BYTE = /[\u0080-\u00ff]/;
const ENCODED = /[%\u0080-\u00ff]/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns a function that parses the query of a request target into the values of `schema`, defaults
 * included. The function throws ApiError `invalid_parameter`, or what `rules.first` throws.
 */
export function createQueryParser<T extends TObject>(
  schema: T,
  rules: QueryRules = {},
): (target: string) => Static<T> {
  const properties = Object.entries(schema.properties as Record<string, PropertySchema>);
  const parsers = new Map(properties.map(([name, property]) => [name, createValueParser(name, property)]));
  const defaults = properties.flatMap(([name, property]): [string, QueryValue][] =>
    property.default === undefined ? [] : [[name, property.default as QueryValue]],
  );
  const { first, unknownHint, skipsEmpty = false, plusAsSpace = [] } = rules;
  const required = ((schema as { required?: string[] }).required ?? []).filter(
    (name) => name !== first?.name,
  );
  return (target) => {
    const parts = splitQuery(target);
    // Most targets are plain: one test saves decoding each part.
    const decodePart = ENCODED.test(target) ? decode : returnText;
    if (first) checkFirst(parts, first, decodePart);
    const values: Record<string, QueryValue> = {};
    for (let at = 0; at < parts.length; at += 2) {
      const text = parts[at + 1] as string;
      if (skipsEmpty && text === '') continue;
      const name = decodePart(parts[at] as string) ?? (parts[at] as string);
      const parse = parsers.get(name);
      if (!parse) throw unknownParameter(name, [...parsers.keys()], unknownHint);
      if (values[name] !== undefined)
        throw invalidParameter(name, `The parameter ${name} is given more than once: send it once.`);
      const encoded = plusAsSpace.includes(name) ? text.replaceAll('+', ' ') : text;
      values[name] = parse(decodePart(encoded) ?? throwUndecodable(name));
    }
    for (const [name, value] of defaults) values[name] ??= value;
    for (const name of required)
      if (values[name] === undefined)
        throw invalidParameter(name, `The parameter ${name} is missing: send it.`);
    return values as Static<T>;
  };
}

/**
 * Throws `invalid_parameter` if a target has a query: for operations whose options are members of the body.
 */
export function refuseQuery(target: string): void {
  const [name] = splitQuery(target);
  if (name === undefined) return;
  const shown = formatName(decode(name) ?? name);
  throw new ApiError(
    'invalid_parameter',
    'This operation takes nothing from the query string: send every option as a member of the JSON body.',
    shown === '' ? {} : { param: shown },
  );
}

/** Returns the names and values of a target's query in turn, still encoded, without empty parts. */
function splitQuery(target: string): string[] {
  const parts: string[] = [];
  let start = target.indexOf('?') + 1;
  if (start === 0) return parts;
  for (let end = 0; end < target.length; start = end + 1) {
    const next = target.indexOf('&', start);
    end = next < 0 ? target.length : next;
    if (end === start) continue;
    const part = target.slice(start, end);
    const equals = part.indexOf('=');
    if (equals < 0) parts.push(part, '');
    else parts.push(part.slice(0, equals), part.slice(equals + 1));
  }
  return parts;
}

function checkFirst(
  parts: string[],
  first: NonNullable<QueryRules['first']>,
  decodePart: typeof decode,
): void {
  for (let at = 0; at < parts.length; at += 2) {
    const name = parts[at] as string;
    if ((decodePart(name) ?? name) !== first.name) continue;
    const value = decodePart(parts[at + 1] as string);
    // A value that cannot be decoded is refused later, as invalid_parameter.
    if (value !== null) first.check(value);
    return;
  }
  first.check(undefined);
}

function createValueParser(name: string, property: PropertySchema): ParseValue {
  if (property.type === 'boolean') return (text) => parseBoolean(name, text);
  if (property.type === 'integer') return (text) => parseInteger(name, property, text);
  const choices = property.enum ?? property.anyOf?.map(({ const: value }) => value);
  if (choices) return createChoiceParser(name, choices);
  const { maxLength = Infinity } = property;
  return (text) => {
    if (text.length <= maxLength) return text;
    throw invalidParameter(name, `The parameter ${name} must be text of at most ${maxLength} characters.`);
  };
}

/** `true` and `false` among the choices may be spelled as booleans are. */
function createChoiceParser(name: string, choices: readonly unknown[]): ParseValue {
  const texts = choices.map(String);
  return (text) => {
    if (texts.includes(text)) return text;
    const value = String(findBoolean(text));
    if (texts.includes(value)) return value;
    throw invalidParameter(name, `The parameter ${name} must be one of ${texts.join(', ')}.`);
  };
}

function parseBoolean(name: string, text: string): boolean {
  const value = findBoolean(text);
  if (value !== null) return value;
  throw invalidParameter(name, `The parameter ${name} must be true or false.`);
}

/** Returns the boolean that a text spells: true, false, 1 or 0, in any case. Null for another text. */
function findBoolean(text: string): boolean | null {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  return lower === 'false' || lower === '0' ? false : null;
}

function parseInteger(
  name: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: PropertySchema,
  text: string,
): number {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= minimum && value <= maximum) return value;
  throw invalidParameter(name, `The parameter ${name} must be a whole number from ${minimum} to ${maximum}.`);
}

function throwUndecodable(name: string): never {
  throw invalidParameter(name, `The value of ${name} is not valid percent-encoded UTF-8: encode it again.`);
}

function unknownParameter(name: string, known: string[], hint: string | undefined): ApiError {
  if (name === '')
    return new ApiError('invalid_parameter', 'A parameter has no name: send each as name=value.');
  const shown = formatName(name);
  return invalidParameter(
    shown,
    `There is no parameter ${shown} here: the parameters are ${known.join(', ')}.${hint ? ` ${hint}` : ''}`,
  );
}

function invalidParameter(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param });
}

/**
 * Returns a name from a request in a form that is safe in a message: short and without control characters.
 */
export function formatName(name: string): string {
  const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd').toWellFormed();
  return clean.length > 64 ? `${clean.slice(0, 64).toWellFormed()}…` : clean;
}

function returnText(text: string): string {
  return text;
}

/** Decodes percent-encoding, and raw bytes beyond ASCII as UTF-8. Returns null if either is not valid. */
export function decode(text: string): string | null {
  try {
    const whole = HIGH_BYTE.test(text) ? utf8.decode(Buffer.from(text, 'latin1')) : text;
    return whole.includes('%') ? decodeURIComponent(whole) : whole;
  } catch {
    return null;
  }
}

/**
 * Returns the request target of `path` with `members` as its query, without those that are null. Throws
 * `invalid_json` for text that is not valid Unicode.
 */
export function formatTarget(path: string, members: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(members)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!text.isWellFormed()) throw new ApiError('invalid_json');
  return encodeURIComponent(text);
}
