/** Reads title and number of entries of a feed: RSS, Atom, RDF, JSON Feed. */
import { normalizeText } from '../page/text.ts';
import { decodeXmlBytes, getLocalName, scanXml } from '../xml/scan-xml.ts';

export interface FeedDescription {
  title: string | null;
  entries: number;
}

/** The parents of a feed's own title; an entry has one too. */
const TITLE_PARENTS = new Set(['channel', 'feed']);
const ENTRIES = new Set(['item', 'entry']);
const MAX_DEPTH = 100;
/** A larger JSON feed is not parsed: that would hold up other requests. */
const MAX_JSON_BYTES = 1024 * 1024;
const JSON_FEED = /"version"\s{0,20}:\s{0,20}"https?:(?:\\?\/){2}jsonfeed\.org(?:\\?\/)version/;
const JSON_START_BYTES = 65_536;
const FEED_ROOT = /^(?:\xEF\xBB\xBF)?\s{0,1000}<(?:\?xml|!--|!doctype|rss\b|feed\b|rdf:RDF\b)/i;

/** Returns whether bytes that are not HTML start as XML does, and have the root of a feed. */
export function isXmlFeed(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 4_096);
  // UTF-16 has no markup that can be compared as ASCII.
  const isUtf16 = start[0] === 0xfe || start[0] === 0xff;
  if (!isUtf16 && !FEED_ROOT.test(start.toString('latin1'))) return false;
  for (const part of scanXml(decodeXmlBytes(start, null)))
    if (part.kind === 'open') return ['rss', 'feed', 'rdf'].includes(getLocalName(part.name));
  return false;
}

/** Returns whether JSON is a JSON Feed: by its version, which is at its start. */
export function isJsonFeed(bytes: Buffer): boolean {
  return JSON_FEED.test(bytes.toString('latin1', 0, JSON_START_BYTES));
}

/** Describes a feed of XML, or as much of it as was read. */
export function describeXmlFeed(bytes: Buffer, charset: string | null): FeedDescription {
  const path: string[] = [];
  let title: string | null = null;
  let text = '';
  let entries = 0;
  for (const part of scanXml(decodeXmlBytes(bytes, charset))) {
    const isTitle = path.length < 5 && path.at(-1) === 'title' && TITLE_PARENTS.has(path.at(-2) ?? '');
    if (part.kind === 'text') {
      if (isTitle && title === null) text += part.text;
    } else if (part.kind === 'close') {
      if (isTitle) title ??= normalizeText(text, 'text');
      text = '';
      // An element that is not closed ends with its parent.
      const open = path.lastIndexOf(part.name.toLowerCase().replace(/^rdf:/, ''));
      if (open >= 0) path.length = open;
    } else {
      // Elements with a prefix, such as media:title, are those of an extension.
      const name = part.name.toLowerCase().replace(/^rdf:/, '');
      if (ENTRIES.has(name) && path.length < 4 && !ENTRIES.has(path.at(-1) ?? '')) entries++;
      if (!part.isEmpty) path.push(name);
      if (path.length > MAX_DEPTH) break;
    }
  }
  return { title, entries };
}

/** Describes a JSON Feed (version 1.1), or returns null if it is too large or cut. */
export function describeJsonFeed(bytes: Buffer): FeedDescription | null {
  if (bytes.length > MAX_JSON_BYTES) return null;
  try {
    const feed = JSON.parse(new TextDecoder().decode(bytes)) as { title?: unknown; items?: unknown } | null;
    const title = typeof feed?.title === 'string' ? feed.title.replaceAll('&', '&amp;') : '';
    return {
      title: normalizeText(title, 'text'),
      entries: Array.isArray(feed?.items) ? feed.items.length : 0,
    };
  } catch {
    return null;
  }
}
