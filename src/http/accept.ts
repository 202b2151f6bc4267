/** Choices between two media types by the Accept header of a request (RFC 9110 §12.5.1). */

/** A media range of an Accept header. */
interface AcceptedRange {
  range: string;
  weight: number;
}

const LINES = 'application/x-ndjson';
const JSON_TYPE = 'application/json';
/** The media type of error bodies by RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json';
const MAX_PROBLEM_ACCEPT = 512;

/**
 * Returns whether an Accept header prefers application/x-ndjson to application/json. The type with the higher
 * weight wins. If they are equal, a type that is named wins over one that only a range
 * like `application/*` covers, and of two named types the first. JSON without the header, and if it covers
 * neither.
 */
export function prefersLines(accept = ''): boolean {
  const ranges = accept.split(',').map(parseRange);
  const lines = findWeight(ranges, LINES);
  const json = findWeight(ranges, JSON_TYPE);
  if (lines !== json) return lines > json;
  const named = ranges.findIndex(({ range }) => range === LINES);
  const other = ranges.findIndex(({ range }) => range === JSON_TYPE);
  return lines > 0 && named >= 0 && (other < 0 || named < other);
}

/**
 * Returns whether an Accept header prefers application/problem+json to application/json: only a higher weight
 * counts, so that clients that accept both, or anything, get plain JSON.
 */
export function prefersProblem(accept = ''): boolean {
  // Requests without a key get here too: a long header must not cost more than their refusal.
  if (accept.length > MAX_PROBLEM_ACCEPT) return false;
  const ranges = accept.split(',').map(parseRange);
  return findWeight(ranges, PROBLEM_TYPE) > findWeight(ranges, JSON_TYPE);
}

/** Returns the weight of the most specific range that covers a type, 0 if none does. */
function findWeight(ranges: readonly AcceptedRange[], type: string): number {
  for (const covering of [type, 'application/*', '*/*']) {
    const found = ranges.find(({ range }) => range === covering);
    if (found !== undefined) return found.weight;
  }
  return 0;
}

/** Parses one range. A malformed weight counts as 1; other parameters are ignored. */
function parseRange(text: string): AcceptedRange {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.map((parameter) => /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/.exec(parameter)?.[1]);
  return { range, weight: Number(weight.find((value) => value !== undefined) ?? 1) };
}
