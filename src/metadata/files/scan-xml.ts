/**
 * Scans XML that strangers wrote: feeds, SVG, oEmbed. Keeps no tree, expands only the predefined entities,
 * and reads on after errors. Ends early at XML that is nested too deep, has too many attributes, or too many
 * errors.
 */
import { SaxesParser } from 'saxes';

/** A tag or a text. `name` is as written, with its prefix. An empty element has an `open` and a `close`. */
export type XmlPart =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { kind: 'close' }
  | { kind: 'text'; text: string };

/** So much is parsed before the next parts are taken; the limits below can be exceeded by as much. */
const CHUNK_LENGTH = 4_096;
const MAX_DEPTH = 100;
/** Attributes of one tag. */
const MAX_ATTRIBUTES = 1_000;
/** Feeds that are not well-formed have an error in each entry; an error costs as much as ten tags. */
const MAX_ERRORS = 10_000;
/** A section of character data, or an ampersand that starts no reference. */
const CDATA_OR_AMPERSAND = /<!\[CDATA\[[^]*?(?:\]\]>|$)|&(?!#\d{1,7};|#x[\da-f]{1,6};|[a-z]\w{0,31};)/gi;

/** Yields the tags and texts of `xml`; comments, declarations and instructions are skipped. */
export function* scanXml(xml: string): Generator<XmlPart> {
  const parser = new SaxesParser();
  let parts: XmlPart[] = [];
  let depth = 0;
  let attributeCount = 0;
  let errorCount = 0;
  const onText = (text: string) => void parts.push({ kind: 'text', text });
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('attribute', () => attributeCount++);
  parser.on('error', () => errorCount++);
  parser.on('opentag', ({ name, attributes }) => {
    depth++;
    attributeCount = 0;
    parts.push({ kind: 'open', name, attributes });
  });
  parser.on('closetag', () => {
    depth--;
    parts.push({ kind: 'close' });
  });
  const escaped = escapeAmpersands(xml);
  for (let at = 0; at < escaped.length; at += CHUNK_LENGTH) {
    parser.write(escaped.slice(at, at + CHUNK_LENGTH));
    yield* parts;
    parts = [];
    if (depth > MAX_DEPTH || attributeCount > MAX_ATTRIBUTES || errorCount > MAX_ERRORS) return;
  }
}

/**
 * Escapes ampersands that start no reference: the parser would read a name up to the next semicolon. Cuts XML
 * that has too many.
 */
function escapeAmpersands(xml: string): string {
  let escaped = '';
  let from = 0;
  let count = 0;
  for (const { 0: found, index } of xml.matchAll(CDATA_OR_AMPERSAND)) {
    if (found !== '&') continue;
    escaped += `${xml.slice(from, index)}&amp;`;
    from = index + 1;
    if (++count > MAX_ERRORS) return escaped;
  }
  return escaped + xml.slice(from);
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
