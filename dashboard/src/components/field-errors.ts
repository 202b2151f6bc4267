/** Which field of a form a refusal is about. */
import { RequestError } from '../api/request.ts';

/** The sentence of a refusal under the field it is about; undefined when it is about another one. */
export function fieldError(error: unknown, ...fields: string[]): string | undefined {
  return error instanceof RequestError && error.param !== undefined && fields.includes(error.param)
    ? error.message
    : undefined;
}

/** A refusal that is about none of the `fields`. */
export function otherError(error: unknown, ...fields: string[]): unknown {
  return fieldError(error, ...fields) === undefined ? error : null;
}
