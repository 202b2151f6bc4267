/**
 * Query strings as RFC 3986 has them: `+` is a plus sign, percent-encoding must be valid UTF-8, and every parameter comes once and is known.
 * A route's schema is the one description: this reads strings, booleans and bounded integers from it.
 */
import { ApiError } from '#errors';

interface PropertySchema {
  type?: string | string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

export interface QuerySchema {
  properties: Record<string, PropertySchema>;
}

/** What a route adds to its schema: the contract's own check, made before any other fault of the query is told, and a hint for strangers. */
export interface QueryRules {
  /** Throws the contract's error for this parameter, given its decoded text or undefined where it is missing. */
  first: { name: string; check: (value: string | undefined) => void };
  /** A sentence added where an unknown parameter is refused. */
  unknownHint?: string;
}

type QueryValue = string | number | boolean;

const highByte = /[\u0080-\u00ff]/;
const encoded = /[%\u0080-\u00ff]/;
const readPlain = (text: string): string => text;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Answers a function from a request target to its query values; the function throws ApiError. */
export function createQueryReader(
  schema: QuerySchema,
  rules: QueryRules,
): (target: string) => Record<string, QueryValue> {
  const properties = new Map(Object.entries(schema.properties));
  const defaults = Object.entries(schema.properties).flatMap(([name, property]): [string, QueryValue][] =>
    property.default === undefined ? [] : [[name, property.default as QueryValue]],
  );
  return (target) => {
    // Names and values by turns.
    const parts = splitQuery(target);
    // Most targets are plain: one look spares each part its own.
    const read = encoded.test(target) ? decode : readPlain;
    checkFirst(parts, rules.first, read);
    const values: Record<string, QueryValue> = {};
    for (let at = 0; at < parts.length; at += 2) {
      const name = read(parts[at] as string) ?? (parts[at] as string);
      const property = properties.get(name);
      if (!property) throw unknownParameter(name, [...properties.keys()], rules.unknownHint);
      if (values[name] !== undefined)
        throw new ApiError(
          'invalid_parameter',
          `The parameter ${name} is given more than once: send it once.`,
          { param: name },
        );
      values[name] = readValue(name, property, read(parts[at + 1] as string));
    }
    for (const [name, value] of defaults) values[name] ??= value;
    return values;
  };
}

/** Throws `invalid_parameter` where a target has a query: for operations whose options are all members of the body. */
export function refuseQuery(target: string): void {
  const [name] = splitQuery(target);
  if (name === undefined) return;
  const shown = readableName(decode(name) ?? name);
  throw new ApiError(
    'invalid_parameter',
    'This operation takes nothing from the query string: send every option as a member of the JSON body.',
    shown === '' ? {} : { param: shown },
  );
}

/** The names and values of a target's query by turns, as they were sent; empty parts are left out. */
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

function checkFirst(parts: string[], first: QueryRules['first'], read: typeof decode): void {
  for (let at = 0; at < parts.length; at += 2) {
    const name = parts[at] as string;
    if ((read(name) ?? name) !== first.name) continue;
    const value = read(parts[at + 1] as string);
    // What cannot be decoded is told below, as invalid_parameter.
    if (value !== null) first.check(value);
    return;
  }
  first.check(undefined);
}

function readValue(name: string, property: PropertySchema, text: string | null): QueryValue {
  if (text === null)
    throw new ApiError(
      'invalid_parameter',
      `The value of ${name} is not valid percent-encoded UTF-8: encode it anew.`,
      { param: name },
    );
  if (property.type === 'boolean') return readBoolean(name, text);
  if (property.type === 'integer') return readInteger(name, property, text);
  return text;
}

function readBoolean(name: string, text: string): boolean {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  if (lower === 'false' || lower === '0') return false;
  throw new ApiError('invalid_parameter', `The parameter ${name} must be true or false.`, { param: name });
}

function readInteger(
  name: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: PropertySchema,
  text: string,
): number {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new ApiError(
    'invalid_parameter',
    `The parameter ${name} must be a whole number from ${minimum} to ${maximum}.`,
    { param: name },
  );
}

function unknownParameter(name: string, known: string[], hint: string | undefined): ApiError {
  if (name === '')
    return new ApiError('invalid_parameter', 'A parameter has no name: send each as name=value.');
  const shown = readableName(name);
  return new ApiError(
    'invalid_parameter',
    `There is no parameter ${shown} here: the parameters are ${known.join(', ')}.${hint ? ` ${hint}` : ''}`,
    { param: shown },
  );
}

/** A caller's name for something, safe to show in a sentence: short and without control characters. */
export function readableName(name: string): string {
  // eslint-disable-next-line no-control-regex
  const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd').toWellFormed();
  return clean.length > 64 ? `${clean.slice(0, 64).toWellFormed()}…` : clean;
}

/** Undoes percent-encoding. Raw bytes past ASCII are read as the UTF-8 that they were sent as. Null where either is not valid. */
export function decode(text: string): string | null {
  try {
    const whole = highByte.test(text) ? utf8.decode(Buffer.from(text, 'latin1')) : text;
    return whole.includes('%') ? decodeURIComponent(whole) : whole;
  } catch {
    return null;
  }
}
