import { decodeHTMLAttribute } from 'entities';

/** An attribute in the source of a start tag (HTML standard §13.2.5.32). Offsets are UTF-16 units. */
export interface HtmlAttribute {
  /** In lower case. */
  name: string;
  /** The value with its character references decoded. */
  value: string;
  /** The offsets of the value in the source, without quotes. */
  start: number;
  end: number;
}

/** White space is that of HTML: \s has more. */
const ATTRIBUTE =
  /[\t\n\f\r /]*(=?[^\t\n\f\r />=]+|=)([\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"?|'([^']*)'?|([^\t\n\f\r >]*)))?/gy;

/** Lists the attributes of a start tag, which ends at `to`; `from` is the offset after its name. */
export function scanAttributes(html: string, from: number, to: number): HtmlAttribute[] {
  const tag = html.slice(from, to);
  const attributes: HtmlAttribute[] = [];
  const names = new Set<string>();
  ATTRIBUTE.lastIndex = 0;
  for (let match = ATTRIBUTE.exec(tag); match; match = ATTRIBUTE.exec(tag)) {
    const name = (match[1] ?? '').toLowerCase();
    // The first of two attributes with one name counts.
    if (names.has(name)) continue;
    names.add(name);
    const raw = match[3] ?? match[4] ?? match[5] ?? '';
    const isClosed = match[5] === undefined && /["']$/.test(match[2] ?? '');
    const end = from + ATTRIBUTE.lastIndex - (isClosed ? 1 : 0);
    const value = raw.includes('&') ? decodeHTMLAttribute(raw) : raw;
    attributes.push({ name, value, start: end - raw.length, end });
  }
  return attributes;
}
