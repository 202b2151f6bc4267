/**
 * Bodies of /account, checked by the schemas of their routes. The `description` of a member completes the
 * sentence "<name> must be …".
 */
import { parseIsoTime } from '#accounts';
import { ApiError } from '#errors';
import { type TObject, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { formatName } from '../query.ts';
import { type BodyFormat, SMALL_BODY_BYTES } from '../wire/json/body-format.ts';

const VALUES = { depth: 16, values: 2_000 };

/** The body of a request under /account: small and nearly flat. */
export const ACCOUNT_BODY: BodyFormat<Record<string, unknown>> = {
  name: 'account',
  maxBytes: SMALL_BODY_BYTES,
  limits: { members: 1_000, byMember: {}, others: VALUES, notObject: 'invalid_json' },
  parse: (members) => members,
  measure: () => SMALL_BODY_BYTES,
};

/** Returns the schema of a string of at most `maxLength` characters. */
export const text = (maxLength: number, description = `text of at most ${maxLength} characters`) =>
  Type.String({ maxLength, description });

export const EMAIL = text(320, 'an email address');
export const PASSWORD = text(1_000, 'a password');

/** A code of the second factor: six digits of an app, or a recovery code. */
export const CODE = text(64, 'a code of the app or a recovery code');
/** The proof of the person who uses a session: the account's password, or a code of its second factor. */
export const PROOF = { password: Type.Optional(PASSWORD), code: Type.Optional(CODE) };

/** The parameters of a path with an id. */
export const ID_PARAMS = Type.Object({ id: Type.String() });

/**
 * Returns a function that checks a body by its schema. It returns `invalid_json`, `invalid_parameter`, or
 * null if the body matches.
 */
export function createBodyCheck(schema: TObject): (body: unknown) => ApiError | null {
  const validate = createValidator(schema);
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return new ApiError('invalid_json');
    const faults = validate(body);
    if (faults === null) return null;
    const unknown = faults.find(({ keyword }) => keyword === 'additionalProperties');
    return unknown ? unknownMember(schema, unknown) : invalidMember(schema, faults);
  };
}

function unknownMember({ properties }: TObject, { params }: SchemaFault): ApiError {
  const { additionalProperties: names = [] } = params as { additionalProperties?: string[] };
  const param = formatName(names[0] ?? '');
  const known = Object.keys(properties).join(', ');
  const hint = known === '' ? 'send {}' : `the members are ${known}`;
  return new ApiError('invalid_parameter', `There is no member ${param} here: ${hint}.`, { param });
}

/** Returns the error of a member that is missing or has a value that is not allowed. */
function invalidMember({ properties }: TObject, faults: readonly SchemaFault[]): ApiError {
  const missing = faults.find(({ keyword }) => keyword === 'required');
  const { requiredProperties = [] } = (missing?.params ?? {}) as { requiredProperties?: string[] };
  const param = requiredProperties[0] ?? faults[0]?.instancePath.split('/')[1] ?? '';
  const property: { description?: string } | undefined = properties[param];
  const rule = `must be ${property?.description ?? 'of another type or size'}.`;
  return new ApiError('invalid_parameter', `${param} ${missing ? `is missing: it ${rule}` : rule}`, {
    param,
  });
}

/** Parses a time in ISO 8601 with its zone, or a day, into milliseconds. Throws `invalid_parameter`. */
export function parseTime(value: string, param: string): number {
  const ms = parseIsoTime(value);
  if (ms === null)
    throw new ApiError('invalid_parameter', `${param} must be a time like 2030-01-31T12:00:00Z.`, { param });
  return ms;
}

const MAX_LIST_VALUES = 50;

/**
 * Parses values that are separated by commas; undefined if there are none. Throws `invalid_parameter` for a
 * value that is not one of `known`, and for more than 50.
 */
export function parseList(
  value: string | undefined,
  param: string,
  known?: readonly string[],
): string[] | undefined {
  const values = [...new Set((value ?? '').split(',').filter((one) => one !== ''))];
  if (values.length === 0) return undefined;
  const bad = known && values.find((one) => !known.includes(one));
  if (bad !== undefined)
    throw new ApiError('invalid_parameter', `${param} must be values of ${known?.join(', ')}.`, { param });
  if (values.length > MAX_LIST_VALUES)
    throw new ApiError('invalid_parameter', `${param} has more than ${MAX_LIST_VALUES} values.`, { param });
  return values;
}

/** One way in which a value does not match its schema, as TypeBox reports it. */
interface SchemaFault {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

/**
 * Returns a function that lists the faults of a value by `schema`, or null if it matches. The first value
 * compiles the schema: if all of them were compiled before the service listens, each start would be later.
 */
export function createValidator(schema: TSchema): (value: unknown) => readonly SchemaFault[] | null {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? null : compiled.Errors(value)[1];
  };
}
