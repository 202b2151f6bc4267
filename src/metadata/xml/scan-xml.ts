/**
 * Scans XML that strangers wrote: feeds, SVG, oEmbed. Reads each character once, keeps no tree, expands no
 * entities except the predefined ones, and stops at what it cannot parse.
 */
import { decodeXML } from 'entities/decode';

/** A tag or a text. `name` is as written, with its prefix; `source` is the text between name and `>`. */
export type XmlPart =
  | { kind: 'open'; name: string; source: string; isEmpty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

/** A longer tag is not XML. */
const MAX_TAG_LENGTH = 65_536;
/** More attributes are ignored. */
const MAX_ATTRIBUTES = 100;

/** Yields the tags and texts of `xml`; comments, declarations and instructions are skipped. */
export function* scanXml(xml: string): Generator<XmlPart> {
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    if (open < 0) return;
    if (open > at) yield { kind: 'text', text: decodeXML(xml.slice(at, open)) };
    const next = xml.charCodeAt(open + 1);
    if (next === 0x21 && xml.startsWith('<![CDATA[', open)) {
      const end = xml.indexOf(']]>', open);
      if (end < 0) return;
      yield { kind: 'text', text: xml.slice(open + 9, end) };
      at = end + 3;
      continue;
    }
    const end = findEnd(xml, open);
    if (end < 0) return;
    if (next === 0x2f) yield { kind: 'close', name: xml.slice(open + 2, end).trim() };
    else if (next !== 0x21 && next !== 0x3f) yield parseTag(xml.slice(open + 1, end));
    at = end + 1;
  }
}

/** Returns the position of the `>` that ends the markup at `open`, or -1. */
function findEnd(xml: string, open: number): number {
  const isDeclaration = xml.charCodeAt(open + 1) === 0x21;
  if (isDeclaration && xml.startsWith('<!--', open)) return addUnlessMissing(xml.indexOf('-->', open + 4), 2);
  if (xml.startsWith('<?', open)) return addUnlessMissing(xml.indexOf('?>', open + 2), 1);
  // An internal subset of a DOCTYPE contains declarations, each with a `>` of its own.
  let depth = 0;
  const limit = Math.min(xml.length, open + MAX_TAG_LENGTH);
  for (let at = open + 1; at < limit; at++) {
    const code = xml.charCodeAt(at);
    if (code === 0x22 || code === 0x27) {
      at = xml.indexOf(xml[at]!, at + 1);
      if (at < 0) return -1;
    } else if (code === 0x3e && depth === 0) return at;
    else if (isDeclaration && code === 0x5b) depth++;
    else if (isDeclaration && code === 0x5d) depth--;
  }
  return -1;
}

function addUnlessMissing(at: number, length: number): number {
  return at < 0 ? -1 : at + length;
}

function parseTag(tag: string): XmlPart {
  const isEmpty = tag.endsWith('/');
  const body = isEmpty ? tag.slice(0, -1) : tag;
  const end = body.search(/[\t\n\r ]/);
  const name = end < 0 ? body : body.slice(0, end);
  return { kind: 'open', name, source: end < 0 ? '' : body.slice(end), isEmpty };
}

/** Parses the attributes of a tag. Of repeated ones, the first counts. */
export function parseXmlAttributes(source: string): Map<string, string> {
  const attributes = new Map<string, string>();
  let at = 0;
  while (attributes.size < MAX_ATTRIBUTES) {
    const equals = source.indexOf('=', at);
    if (equals < 0) break;
    const name = source.slice(at, equals).trim();
    let open = equals + 1;
    while (' \t\r\n'.includes(source[open] ?? '-')) open++;
    const quote = source[open];
    if (quote !== '"' && quote !== "'") break;
    const close = source.indexOf(quote, open + 1);
    if (close < 0) break;
    if (!attributes.has(name)) attributes.set(name, decodeXML(source.slice(open + 1, close)));
    at = close + 1;
  }
  return attributes;
}

/** Returns a name without its prefix, in lower case. */
export function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

/** Decodes the bytes of an XML file by its byte-order mark, `charset` of its header, or its declaration. */
export function decodeXmlBytes(bytes: Uint8Array, charset: string | null): string {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const mark = start.startsWith('\xFE\xFF') ? 'utf-16be' : start.startsWith('\xFF\xFE') ? 'utf-16le' : null;
  const declared = /^(?:\xEF\xBB\xBF)?<\?xml[^>]{0,100}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start);
  for (const label of [mark, charset, declared?.[1]]) {
    try {
      // A declaration that can be read as ASCII is not in UTF-16, whatever it says.
      if (label != null && (label === mark || !/^utf-?16/i.test(label)))
        return new TextDecoder(label).decode(bytes);
    } catch {
      // The next label may be known.
    }
  }
  return new TextDecoder().decode(bytes);
}
