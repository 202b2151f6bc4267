/** Reads title and number of entries of a feed: RSS, Atom, RDF, JSON Feed. */
import { MAX_RAW_LENGTH, normalizeText } from '../page/text.ts';
import { decodeXmlBytes, getLocalName, scanXml } from './scan-xml.ts';

export interface FeedDescription {
  title: string | null;
  entries: number;
}

/** The parents of a feed's own title; an entry has one too. */
const TITLE_PARENTS = new Set(['channel', 'feed']);
const ENTRIES = new Set(['item', 'entry']);
/** Tags and texts; the largest feeds that are read whole have fewer. */
const MAX_PARTS = 150_000;
/** A larger JSON feed is not parsed: that would hold up other requests. */
const MAX_JSON_BYTES = 1024 * 1024;
const JSON_FEED = /"version"\s{0,20}:\s{0,20}"https?:(?:\\?\/){2}jsonfeed\.org(?:\\?\/)version/;
const JSON_START_BYTES = 65_536;
const FEED_ROOT = /^(?:\xEF\xBB\xBF)?\s{0,1000}<(?:\?xml|!--|!doctype|(?:[\w.-]{1,40}:)?(?:rss|feed|rdf)\b)/i;

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
  /** The names of the open elements. */
  const path: string[] = [];
  let prefix: string | null = null;
  let title: string | null = null;
  let text = '';
  /** The depth of the title, whose elements have its text too if it is of XHTML. */
  let titleAt = 0;
  let isXhtml = false;
  let entries = 0;
  let parts = 0;
  for (const part of scanXml(decodeXmlBytes(bytes, charset))) {
    if (++parts > MAX_PARTS) break;
    if (part.kind === 'text') {
      const isTitle = titleAt > 0 && (isXhtml || path.length === titleAt);
      if (isTitle && text.length < MAX_RAW_LENGTH) text += part.text;
    } else if (part.kind === 'close') {
      path.pop();
      if (titleAt > 0 && (path.length < titleAt || !isXhtml)) {
        title = path.length < titleAt ? normalizeText(text, 'text') : null;
        titleAt = 0;
      }
    } else {
      // Elements with the prefix of the root belong to the feed; others, such as media:title, extend it.
      prefix ??= part.name.slice(0, part.name.indexOf(':') + 1).toLowerCase();
      const written = part.name.toLowerCase();
      const name = prefix !== '' && written.startsWith(prefix) ? written.slice(prefix.length) : written;
      const parent = path.at(-1) ?? '';
      if (ENTRIES.has(name) && path.length < 4 && !ENTRIES.has(parent)) entries++;
      const isTitle = title === null && titleAt === 0 && name === 'title' && TITLE_PARENTS.has(parent);
      path.push(name);
      if (!isTitle || path.length > 4) continue;
      titleAt = path.length;
      // The text of such a title of Atom is in elements.
      isXhtml = part.attributes['type'] === 'xhtml';
      text = '';
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
