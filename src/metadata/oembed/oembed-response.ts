/** Validates an oEmbed response (oembed.com §2.3.4): the members of its type, each of the right form. */
import { normalizeText, parseHttpUrl } from '../page/text.ts';
import { decodeXmlBytes, scanXml } from '../files/scan-xml.ts';

export interface OembedResponse {
  /** The URL that was fetched. */
  url: string;
  /** `list`: the endpoint of a known provider; `link`: the page names it. */
  source: 'list' | 'link';
  type: 'photo' | 'video' | 'link' | 'rich';
  title: string | null;
  authorName: string | null;
  authorUrl: string | null;
  providerName: string | null;
  providerUrl: string | null;
  thumbnailUrl: string | null;
  thumbnailWidth: number | null;
  thumbnailHeight: number | null;
  /** The photo itself; null for other types. */
  photoUrl: string | null;
  width: number | null;
  height: number | null;
  /** Sanitized; null for photos and links, and if nothing of it is left. */
  html: string | null;
}

/** The members of a response as they came, by their names. */
type RawOembed = Readonly<Record<string, unknown>>;

const TYPES = ['photo', 'video', 'link', 'rich'] as const;
const MAX_PIXELS = 100_000;

/**
 * Returns the response, or null if it is none: of no known type, or without the member that its type needs.
 * `sanitize` cleans its `html`. Relative URLs are not valid.
 */
export function parseOembedResponse(
  raw: RawOembed,
  { url, source }: Pick<OembedResponse, 'url' | 'source'>,
  sanitize: (html: string) => string | null,
): OembedResponse | null {
  const type = TYPES.find((name) => name === raw['type']);
  if (type === undefined) return null;
  const hasHtml = type === 'video' || type === 'rich';
  const html = hasHtml && typeof raw['html'] === 'string' ? sanitize(raw['html']) : null;
  const photoUrl = type === 'photo' ? findUrl(raw, 'url') : null;
  const response = {
    url,
    source,
    type,
    title: findText(raw, 'title'),
    authorName: findText(raw, 'author_name'),
    authorUrl: findUrl(raw, 'author_url'),
    providerName: findText(raw, 'provider_name'),
    providerUrl: findUrl(raw, 'provider_url'),
    thumbnailUrl: findUrl(raw, 'thumbnail_url'),
    thumbnailWidth: findPixels(raw, 'thumbnail_width'),
    thumbnailHeight: findPixels(raw, 'thumbnail_height'),
    photoUrl,
    width: findPixels(raw, 'width'),
    height: findPixels(raw, 'height'),
    html,
  };
  return (hasHtml && html === null) || (type === 'photo' && photoUrl === null) ? null : response;
}

function findText(raw: RawOembed, name: string): string | null {
  const value = raw[name];
  return typeof value === 'string' ? normalizeText(value, 'text') : null;
}

function findUrl(raw: RawOembed, name: string): string | null {
  const value = raw[name];
  if (typeof value !== 'string') return null;
  // Some providers leave out the scheme.
  const url = parseHttpUrl(value.startsWith('//') ? `https:${value}` : value, 'about:blank');
  return url === null || new URL(url).username !== '' ? null : url;
}

/** XML and some JSON have numbers as texts; a width of 100 % is no number of pixels. */
function findPixels(raw: RawOembed, name: string): number | null {
  const value = raw[name];
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,6}$/.test(value));
  const pixels = isNumber ? Math.round(Number(value)) : NaN;
  return pixels > 0 && pixels <= MAX_PIXELS ? pixels : null;
}

/** Providers send about 15 members. */
const MAX_MEMBERS = 100;

/** Returns the members at the top of the body, or null if it is neither JSON nor XML of oEmbed. */
export function parseOembedBody(bytes: Buffer, charset: string | null): RawOembed | null {
  const text = decodeXmlBytes(bytes, charset).trimStart();
  return text.startsWith('<') ? parseXml(text) : parseJson(text);
}

function parseJson(text: string): RawOembed | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Returns the texts of the elements in the root element `oembed`. Deeper elements end the parse. */
function parseXml(text: string): RawOembed | null {
  const members = new Map<string, string>();
  let isInRoot = false;
  let member: string | null = null;
  let content = '';
  for (const part of scanXml(text)) {
    if (part.kind === 'text') {
      if (member !== null) content += part.text;
    } else if (part.kind === 'close') {
      if (member === null) break;
      if (!members.has(member)) members.set(member, content.trim());
      member = null;
    } else if (!isInRoot) {
      if (part.name !== 'oembed') return null;
      isInRoot = true;
    } else if (member !== null || members.size === MAX_MEMBERS) return null;
    else [member, content] = [part.name, ''];
  }
  return isInRoot ? Object.fromEntries(members) : null;
}
