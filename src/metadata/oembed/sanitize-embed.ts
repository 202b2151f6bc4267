/** Sanitizes the `html` of an oEmbed response, so that a page can insert it as it is. */
import { scanHtml } from '#html';
import sanitizeHtml from 'sanitize-html';
import { getDomain } from 'tldts';

/** More nested elements lose their tags. */
const MAX_DEPTH = 20;
const MAX_LENGTH = 50_000;

const TEXT_TAGS = ['a', 'b', 'blockquote', 'br', 'cite', 'code', 'div', 'em', 'figcaption', 'figure', 'h1'];
const MORE_TAGS = ['h2', 'h3', 'h4', 'i', 'li', 'ol', 'p', 'pre', 'q', 'small', 'span', 'strong', 'sub'];
const MEDIA_TAGS = ['audio', 'iframe', 'img', 'source', 'sup', 'time', 'u', 'ul', 'video'];
/** Elements whose content is no text for people; it is dropped with them. */
const NON_TEXT_TAGS = ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'xmp'];
const VISIBLE = new Set(['audio', 'iframe', 'img', 'video']);
const SIZE = ['width', 'height'];
const URL_ATTRIBUTES = ['href', 'src', 'poster'];

/** A frame may run scripts, in an origin of its own, and open links in new windows. */
const SANDBOX = 'allow-scripts allow-popups';
/** The players of known providers need their own storage, and full screen. */
const TRUSTED_SANDBOX = `${SANDBOX} allow-same-origin allow-presentation`;

/**
 * Returns `html` without scripts, styles, handlers, forms and identifiers, or null if nothing is left to see.
 * Links and media are http(s); links open in a new window. A frame is https and gets a `sandbox`, with
 * `allow-same-origin` only on a site of `trustedUrls`: the endpoint and the page of a known provider.
 */
export function sanitizeEmbed(html: string, trustedUrls: readonly string[]): string | null {
  const trusted = new Set(trustedUrls.map(findSite).filter((site) => site !== null));
  const clean = sanitizeHtml(html.slice(0, MAX_LENGTH), createOptions(trusted)).trim();
  return isVisible(clean) ? clean : null;
}

/** Checks whether HTML has text or media. */
function isVisible(html: string): boolean {
  for (const { kind, name, start, end } of scanHtml(html))
    if (kind === 'start' ? VISIBLE.has(name) : kind === 'text' && /\S/.test(html.slice(start, end)))
      return true;
  return false;
}

function createOptions(trusted: ReadonlySet<string>): sanitizeHtml.IOptions {
  return {
    allowedTags: [...TEXT_TAGS, ...MORE_TAGS, ...MEDIA_TAGS],
    nonTextTags: NON_TEXT_TAGS,
    allowedAttributes: {
      a: ['href', 'title', 'rel', 'target'],
      img: ['src', 'alt', 'title', ...SIZE],
      video: ['src', 'poster', 'controls', ...SIZE],
      audio: ['src', 'controls'],
      source: ['src', 'type'],
      time: ['datetime'],
      iframe: ['src', 'title', 'sandbox', 'allowfullscreen', 'referrerpolicy', 'loading', ...SIZE],
      '*': ['lang', 'dir'],
    },
    allowedSchemes: ['http', 'https'],
    allowedSchemesAppliedToAttributes: ['href', 'src', 'poster'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    enforceHtmlBoundary: false,
    parseStyleAttributes: false,
    nestingLimit: MAX_DEPTH,
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: restrict(tagName, attribs, trusted) }),
    },
    // The content of a frame is text that no browser shows.
    textFilter: (text, tag) => (tag === 'iframe' ? '' : text.replaceAll('\0', '')),
    exclusiveFilter: ({ tag, attribs }) =>
      (tag === 'iframe' && attribs['src']?.startsWith('https:') !== true) ||
      (tag === 'img' && attribs['src'] === undefined),
  };
}

/** Returns the attributes of an element without URLs that are not safe, and with those that restrict it. */
function restrict(
  tag: string,
  attribs: sanitizeHtml.Attributes,
  trusted: ReadonlySet<string>,
): sanitizeHtml.Attributes {
  const kept = { ...attribs };
  for (const name of URL_ATTRIBUTES) {
    const url = kept[name] === undefined ? null : parseEmbedUrl(kept[name]);
    if (url === null) delete kept[name];
    else kept[name] = url;
  }
  if (tag === 'a') return { ...kept, rel: 'noopener noreferrer nofollow', target: '_blank' };
  if (tag === 'video' || tag === 'audio') return { ...kept, controls: '' };
  if (tag !== 'iframe') return kept;
  const sandbox = trusted.has(findSite(kept['src'] ?? '') ?? '') ? TRUSTED_SANDBOX : SANDBOX;
  return { ...kept, sandbox, referrerpolicy: 'strict-origin-when-cross-origin', loading: 'lazy' };
}

/** Returns a URL with its scheme, or null: a relative one would name a page of the site that shows it. */
function parseEmbedUrl(value: string): string | null {
  const url = URL.parse(value.startsWith('//') ? `https:${value}` : value);
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url !== null && isHttp && url.username === '' && url.password === '' ? url.href : null;
}

/**
 * Returns the registrable domain of a URL. People on a shared host have domains of their own, such as
 * `a.github.io`.
 */
function findSite(url: string): string | null {
  return getDomain(url, { allowPrivateDomains: true });
}
