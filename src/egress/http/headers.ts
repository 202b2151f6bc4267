/** Header fields in the order received: names and values, alternating, as bytes. */
export type RawHeaders = readonly Buffer[];

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * List fields, whose lines are combined (RFC 9110 §5.3). Content-Type is treated as one by browsers (WHATWG
 * Fetch).
 */
const LISTS = new Set(['cache-control', 'content-language', 'content-type', 'link', 'vary', 'x-robots-tag']);

/**
 * Returns values (latin1) by lower-case name. Of a name that was repeated, the first value; all of them,
 * joined, for a list field.
 */
export function parseHeaders(raw: RawHeaders): Map<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toString('latin1').toLowerCase() ?? '';
    const value = raw[index + 1]?.toString('latin1').trim() ?? '';
    const before = headers.get(name);
    if (before === undefined) headers.set(name, value);
    else if (LISTS.has(name)) headers.set(name, `${before}, ${value}`);
  }
  return headers;
}

/** Returns every value of one header, in order. `name` is lower case. */
export function findHeaderValues(raw: RawHeaders, name: string): Buffer[] {
  const values: Buffer[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const value = raw[index + 1];
    if (raw[index]?.length === name.length && raw[index]?.toString('latin1').toLowerCase() === name && value)
      values.push(value);
  }
  return values;
}

/** Decodes a header value that may be UTF-8, as Location is in practice; latin1 otherwise. */
export function decodeHeaderValue(value: Buffer): string {
  try {
    return strictUtf8.decode(value).trim();
  } catch {
    return value.toString('latin1').trim();
  }
}
