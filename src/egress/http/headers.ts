/** Header fields in the order in which they came, names and values by turns, undecoded. */
export type RawHeaders = readonly Buffer[];

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Fields that are lists: several of them are one (RFC 9110 §5.3). Content-Type is none, but read as one (WHATWG Fetch, «extract a MIME type»). */
const LISTS = new Set(['cache-control', 'content-language', 'content-type', 'vary', 'x-robots-tag']);

/** Lower-case names to values (latin1, as HTTP carries them); where a name came more than once the first value, or all of them for a list. */
export function readHeaders(raw: RawHeaders): Map<string, string> {
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

/** Every value of one header, in order. `name` is lower case. */
export function readHeaderValues(raw: RawHeaders, name: string): Buffer[] {
  const values: Buffer[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const value = raw[index + 1];
    if (raw[index]?.length === name.length && raw[index]?.toString('latin1').toLowerCase() === name && value)
      values.push(value);
  }
  return values;
}

/** A header value that may hold raw UTF-8, as Location does in practice. */
export function decodeHeaderValue(value: Buffer): string {
  try {
    return strictUtf8.decode(value).trim();
  } catch {
    return value.toString('latin1').trim();
  }
}
