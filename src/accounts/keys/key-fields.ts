/** Parses the fields of a key that people fill in: name, operations, client ranges, times. */
import { ApiError } from '#errors';
import { OPERATIONS, type ApiKeyChanges } from './api-key.ts';
import { parseClientCidr } from './client-networks.ts';

const MAX_NAME_LENGTH = 100;
const MAX_CIDRS = 100;
const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Returns the changes in normal form. Throws `invalid_parameter` if a field is wrong. */
export function parseKeyChanges(changes: ApiKeyChanges): ApiKeyChanges {
  const { name, operations, clientCidrs } = changes;
  return {
    ...(name !== undefined && { name: parseKeyName(name) }),
    ...(operations !== undefined && { operations: parseOperations(operations) }),
    ...(clientCidrs !== undefined && { clientCidrs: parseClientCidrs(clientCidrs) }),
  };
}

/** Returns the name with runs of white space made one blank. Throws `invalid_parameter`. */
export function parseKeyName(text: string): string {
  const name = text.trim().replaceAll(/\s+/gu, ' ');
  // U+200D joins the parts of an emoji; all other format characters are invisible.
  const visible = name.replaceAll('\u200D', '');
  if (name === '' || name.length > MAX_NAME_LENGTH || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(visible))
    throw new ApiError(
      'invalid_parameter',
      `name must be text of 1 to ${MAX_NAME_LENGTH} characters, without control characters.`,
      { param: 'name' },
    );
  return name;
}

/** Returns the operations in their usual order, null for all of them. Throws `invalid_parameter`. */
export function parseOperations(operations: readonly string[] | null): readonly string[] | null {
  if (operations === null) return null;
  const known = OPERATIONS.filter((operation) => operations.includes(operation));
  if (known.length === 0 || operations.some((operation) => !known.includes(operation as never)))
    throw new ApiError(
      'invalid_parameter',
      `operations must be null for all, or a list of one or more of ${OPERATIONS.join(', ')}.`,
      { param: 'operations' },
    );
  return known.length === OPERATIONS.length ? null : known;
}

/** Returns the ranges as `address/prefix`, each one time. Throws `invalid_parameter`. */
export function parseClientCidrs(cidrs: readonly string[] | null): readonly string[] | null {
  if (cidrs === null) return null;
  const ranges = cidrs.map(parseClientCidr);
  if (ranges.length === 0 || ranges.length > MAX_CIDRS || ranges.includes(null))
    throw new ApiError(
      'invalid_parameter',
      `client_cidrs must be null for all, or a list of up to ${MAX_CIDRS} ranges like 203.0.113.0/24 or 2001:db8::/32.`,
      { param: 'client_cidrs' },
    );
  return [...new Set(ranges as string[])];
}

/**
 * Parses an ISO 8601 time with a zone, or a day (its midnight in UTC), to milliseconds since the epoch.
 * Returns null for any other text and for days that do not exist.
 */
export function parseIsoTime(text: string): number | null {
  const [, year, month, day] = ISO_TIME.exec(text) ?? [];
  if (day === undefined) return null;
  // Date.parse reads 30 February as 2 March.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day))
    return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
