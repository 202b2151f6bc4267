/**
 * Bodies of /account, checked by their schemas. The `description` of a member completes the sentence "<name>
 * must be …".
 */
import { parseIsoTime } from '#accounts';
import { ApiError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { Type, type Static, type TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import type { BodyFormat } from '../wire/json/body-format.ts';
import { SMALL_BODY_BYTES } from '../wire/json/body-memory.ts';

const VALUES = { depth: 16, values: 2_000 };

/**
 * The body of a request under /account: small and nearly flat. The schema of the route checks its members.
 */
export const ACCOUNT_BODY: BodyFormat<Record<string, unknown>> = {
  name: 'account',
  maxBytes: SMALL_BODY_BYTES,
  limits: { members: 1_000, byMember: {}, others: VALUES, notObject: 'invalid_json' },
  parse: (members) => members,
  measure: () => SMALL_BODY_BYTES,
};

/**
 * Returns a function that returns the body of a request if it fits the schema. It throws `invalid_json` or
 * `invalid_parameter`.
 */
export function createBodyParser<T extends TObject>(schema: T): (request: FastifyRequest) => Static<T> {
  const validator = Compile(schema);
  return ({ body }) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('invalid_json');
    if (!validator.Check(body)) throw createFaultError(schema, validator.Errors(body));
    return body;
  };
}

interface Fault {
  keyword: string;
  instancePath: string;
  params: object;
}

function createFaultError(schema: TObject, faults: readonly Fault[]): ApiError {
  const unknown = faults.find(({ keyword }) => keyword === 'additionalProperties');
  const missing = faults.find(({ keyword }) => keyword === 'required');
  if (unknown) {
    const { additionalProperties } = unknown.params as { additionalProperties?: string[] };
    const name = additionalProperties?.[0] ?? '';
    const known = Object.keys(schema.properties).join(', ');
    return new ApiError(
      'invalid_parameter',
      `There is no member ${name.slice(0, 100)}: there are ${known}.`,
      {
        param: name.slice(0, 100),
      },
    );
  }
  const { requiredProperties } = (missing?.params ?? {}) as { requiredProperties?: string[] };
  const name = requiredProperties?.[0] ?? faults[0]?.instancePath.split('/')[1] ?? '';
  const property: { description?: string } | undefined = schema.properties[name];
  const rule = property?.description ?? 'of another type or size';
  return new ApiError(
    'invalid_parameter',
    `${name} ${missing ? 'is missing: it' : ''} must be ${rule}.`.replaceAll('  ', ' '),
    {
      param: name,
    },
  );
}

/** Returns the schema of a string of at most so many characters. */
export const text = (maxLength: number, description = `text of at most ${maxLength} characters`) =>
  Type.String({ maxLength, description });

export const optional = Type.Optional;

/** Returns the schema of an object that may have no other members. */
export function members<T extends Parameters<typeof Type.Object>[0]>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Parses a time in ISO 8601 with its zone, or a day, into milliseconds. Throws `invalid_parameter`. */
export function parseTime(value: string, param: string): number {
  const ms = parseIsoTime(value);
  if (ms === null)
    throw new ApiError('invalid_parameter', `${param} must be a time like 2030-01-31T12:00:00Z.`, { param });
  return ms;
}
