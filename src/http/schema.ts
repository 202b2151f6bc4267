/**
 * Parts of the routes' schemas. A schema describes parameters, serializes responses, and makes the OpenAPI
 * document.
 */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Annotations of a schema. An object with a `title` is a component of that name in the OpenAPI document. */
interface Annotations {
  title?: string;
  description?: string;
  examples?: unknown[];
}

/** Returns the schema of an object that may have no other members. */
export function strict<T extends TProperties>(properties: T, annotations: Annotations = {}) {
  return Type.Object(properties, { additionalProperties: false, ...annotations });
}

/** Returns the schema of a value or null, in the short form that the serializer has a fast path for. */
export function nullable<T extends 'string' | 'number' | 'integer'>(type: T, description?: string) {
  return Type.Unsafe<(T extends 'string' ? string : number) | null>({ type: [type, 'null'], description });
}

/** Returns the schema of a text that is one of `values`: as a plain `enum`, which every generator reads. */
export function choice<const T extends string>(
  values: readonly T[],
  options: { default?: NoInfer<T>; description?: string; examples?: NoInfer<T>[] } = {},
) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });
}

/** A response header as @fastify/swagger takes it: the schema of its value, with the description in it. */
export const header = (type: 'integer' | 'string', description: string, example: string | number) => ({
  type,
  description,
  examples: [example],
});

/** Returns the schema of an object that may have no other members, or null. */
export function nullableObject<T extends TProperties>(properties: T, annotations: Annotations) {
  const schema = { ...strict(properties, annotations), type: ['object', 'null'] };
  return Type.Unsafe<Static<TObject<T>> | null>(schema);
}

/** Returns the schema of a text with one JSON value per line. */
export function ndjson(line: TSchema, description: string) {
  return { type: 'string', contentMediaType: 'application/x-ndjson', contentSchema: line, description };
}

/** The request id of all examples. */
export const EXAMPLE_REQUEST_ID = 'mJ2xT0c4bQ9s-00001f';

/** The headers of every response under /v1. */
export const okHeaders = {
  'X-RateLimit-Limit': header('integer', 'Maximum requests per minute for the plan.', 600),
  'X-RateLimit-Remaining': header('integer', 'Requests remaining in the current window.', 597),
  'X-RateLimit-Reset': header(
    'integer',
    'Unix timestamp (whole seconds) when the limit resets.',
    1_795_406_460,
  ),
  'RateLimit-Policy': header(
    'string',
    'The limit as a structured field: q requests in each window of w seconds.',
    '"default";q=600;w=60',
  ),
  RateLimit: header(
    'string',
    'What is left as a structured field: r requests for the next t seconds.',
    '"default";r=597;t=42',
  ),
  'X-Request-Id': header(
    'string',
    'The id of this request, also in error bodies and the log.',
    EXAMPLE_REQUEST_ID,
  ),
};
