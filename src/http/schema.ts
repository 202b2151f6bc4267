/**
 * Parts of the routes' schemas. A schema describes parameters, serializes responses, and makes the OpenAPI
 * document.
 */
import { Type, type Static, type TObject, type TProperties } from 'typebox';

/** Returns the schema of an object that may have no other members. */
export function strict<T extends TProperties>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Returns the schema of a value or null, in the short form that the serializer has a fast path for. */
export function nullable<T extends 'string' | 'number' | 'integer'>(type: T, description?: string) {
  return Type.Unsafe<(T extends 'string' ? string : number) | null>({ type: [type, 'null'], description });
}

/** Returns the schema of a text that is one of `values`: as a plain `enum`, which every generator reads. */
export function choice<const T extends string>(
  values: readonly T[],
  options: { default?: NoInfer<T>; description?: string } = {},
) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/** A response header as @fastify/swagger takes it: the schema of its value, with the description in it. */
export const header = (type: 'integer' | 'string', description: string) => ({ type, description });

/** Returns the schema of an object that may have no other members, or null. */
export function nullableObject<T extends TProperties>(properties: T, description: string) {
  const schema = { ...strict(properties), type: ['object', 'null'], description };
  return Type.Unsafe<Static<TObject<T>> | null>(schema);
}

/** The headers of every response under /v1. */
export const okHeaders = {
  'X-RateLimit-Limit': header('integer', 'Maximum requests per minute for the plan.'),
  'X-RateLimit-Remaining': header('integer', 'Requests remaining in the current window.'),
  'X-RateLimit-Reset': header('integer', 'Unix timestamp (whole seconds) when the limit resets.'),
  'RateLimit-Policy': header(
    'string',
    'The limit as a structured field: q requests in each window of w seconds, as in "default";q=600;w=60.',
  ),
  RateLimit: header(
    'string',
    'What is left as a structured field: r requests for the next t seconds, as in "default";r=599;t=42.',
  ),
  'X-Request-Id': header('string', 'The id of this request, also in error bodies and the log.'),
};
