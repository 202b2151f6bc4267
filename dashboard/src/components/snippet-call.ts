/** The parts of a snippet that all languages share. */
import type { Operation } from './operations.ts';

/** One call: an operation and its query parameters or body members. */
export interface Call {
  operation: Operation;
  members: Record<string, unknown>;
}

/** The environment variable that holds the key. */
export const KEY_VARIABLE = 'UTILITY_API_KEY';

/** The members of a result that the programs print. */
export const PRINTED_MEMBERS = {
  validateEmail: ['valid', 'did_you_mean'],
  getMetadata: ['title', 'og'],
} as const;
