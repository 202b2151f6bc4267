import { ApiError } from '#errors';
import type { Template } from './request-parts.ts';
import { getMember, parseOneOf, throwInvalid, throwUnexpected, type Body } from './members.ts';

/** The limits of `data`: members and elements at every depth; the object itself has depth 1. */
export const DATA_LIMITS = { depth: 8, values: 10_000, bytes: 1_048_576 } as const;

/** Checks the size of `data`. Throws `payload_too_large`. */
export function checkDataSize(body: Body): void {
  const data = getMember(body, 'data');
  if (typeof data !== 'object' || data === null) return;
  if (Buffer.byteLength(JSON.stringify(data), 'utf8') <= DATA_LIMITS.bytes) return;
  throw new ApiError('payload_too_large', 'data must be at most 1 MiB of JSON.', { param: 'data' });
}

/** Parses `template` and `data`. Null: the texts are as they were sent. Throws `invalid_parameter`. */
export function parseTemplate(body: Body): Template | null {
  const language = parseOneOf(body, 'template', ['liquid']);
  const data = getMember(body, 'data');
  if (language === null) {
    if (data === undefined) return null;
    return throwInvalid('data', 'data fills a template: send template with the value "liquid" too.');
  }
  return { language, data: parseData(data) };
}

function parseData(data: unknown): Template['data'] {
  if (data === undefined) return {};
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return throwUnexpected('data', 'a JSON object', data);
  const { depth, values } = measure(data);
  if (depth > DATA_LIMITS.depth)
    throwInvalid('data', `data must be nested at most ${DATA_LIMITS.depth} deep: it has ${depth} levels.`);
  if (values > DATA_LIMITS.values)
    throwInvalid('data', `data must have at most 10,000 members and elements in all: it has ${values}.`);
  return data as Template['data'];
}

/** Measures a value without recursion: its levels, and the values inside it. */
function measure(data: object): { depth: number; values: number } {
  let values = 0;
  let depth = 0;
  for (let level: object[] = [data]; level.length > 0; depth += 1) {
    const inside = level.flatMap((value) => Object.values(value) as unknown[]);
    values += inside.length;
    level = inside.filter((value): value is object => typeof value === 'object' && value !== null);
  }
  return { depth, values };
}
