/**
 * Building blocks of the routes' schemas, which are the one source of validation, serialisation and OpenAPI.
 */
import { Type, type TProperties } from 'typebox';

/** An object without further members. */
export function strict<T extends TProperties>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}

/** A value or null, in the short form of JSON Schema that the serialiser has a fast path for. */
export function nullable<T extends 'string' | 'number' | 'integer'>(type: T, description: string) {
  return Type.Unsafe<(T extends 'string' ? string : number) | null>({ type: [type, 'null'], description });
}

const header = (type: 'integer' | 'string', description: string) => ({ description, schema: { type } });

/** The headers of every answer under /v1. */
export const okHeaders = {
  'X-RateLimit-Limit': header('integer', 'Maximum requests per minute for the plan.'),
  'X-RateLimit-Remaining': header('integer', 'Requests remaining in the current window.'),
  'X-RateLimit-Reset': header('integer', 'Unix timestamp (whole seconds) when the limit resets.'),
  'X-Request-Id': header('string', 'The id of this request, also in error bodies and the log.'),
};
