import { ApiError } from '#errors';
import { describeValue, throwInvalid, throwUnexpected, type Body } from './members.ts';

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
