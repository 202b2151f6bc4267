/**
 * A second implementation to compare with: decodes the whole page, parses it with parse5, and applies the
 * rules in the simplest way. Shares no code with src/metadata.
 */
import { type DefaultTreeAdapterMap, html as spec, parse } from 'parse5';
import type { PageHead, PageMetadata } from '#metadata';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** Describes an HTML page. `guess` is its charset if none is declared and the bytes are not UTF-8. */
export function describeWithParse5(bytes: Buffer, head: PageHead, guess: string): Omit<PageMetadata, 'url'> {
  const charset = findCharset(bytes, head, guess);
  const html = new TextDecoder(charset).decode(bytes);
  const elements = listElements(html);
  const all = (name: string) => elements.filter((element) => element.tagName === name);
  const base = findBase(all('base'), head.finalUrl);
  const metas = listMetas(all('meta'));
  const links = all('link').slice(0, 1_000);

  const text = (...keys: string[]) => {
    for (const key of keys) {
      for (const meta of metas) {
        const value = meta.key === key ? clean(meta.content) : null;
        if (value !== null) return value;
      }
    }
    return null;
  };
  const url = (...keys: string[]) => {
    for (const key of keys) {
      for (const meta of metas) {
        const value = meta.key === key ? absolute(meta.content, base) : null;
        if (value !== null) return value;
      }
    }
    return null;
  };
  const title = all('title')
    .map((element) => clean(textOf(element)))
    .find((value) => value !== null);

  return {
    title: title ?? text('og:title', 'twitter:title'),
    description: text('description', 'og:description', 'twitter:description'),
    favicon: findFavicon(links, base, head.finalUrl),
    og: {
      title: text('og:title'),
      description: text('og:description'),
      image: url('og:image', 'og:image:url', 'og:image:secure_url'),
      url: url('og:url'),
      type: text('og:type'),
      siteName: text('og:site_name'),
    },
    twitter: {
      card: text('twitter:card'),
      site: text('twitter:site'),
      title: text('twitter:title'),
      description: text('twitter:description'),
      image: url('twitter:image', 'twitter:image:src'),
    },
    charset,
    language: findLanguage([
      all('html')[0] && (attribute(all('html')[0]!, 'lang') ?? null),
      all('html')[0] && (attribute(all('html')[0]!, 'xml:lang') ?? null),
      text('content-language'),
      head.headers.get('content-language') ?? null,
      text('og:locale'),
    ]),
  };
}

/** Returns the details that follow from elements by simple rules. */
export function detailsWithParse5(bytes: Buffer, head: PageHead, charset: string) {
  const elements = listElements(new TextDecoder(charset).decode(bytes));
  const all = (name: string) => elements.filter((element) => element.tagName === name);
  const base = findBase(all('base'), head.finalUrl);
  const metas = listMetas(all('meta'));
  const links = all('link').slice(0, 1_000);
  const first = (key: string) =>
    metas
      .filter((meta) => meta.key === key)
      .map((meta) => clean(meta.content))
      .find((value) => value !== null) ?? null;
  const rels = (name: string) => links.filter((link) => relOf(link).includes(name));
  return {
    canonical:
      rels('canonical')
        .map((link) => absolute(attribute(link, 'href') ?? '', base))
        .find((value) => value !== null) ?? null,
    themeColor: first('theme-color'),
    robots: first('robots'),
    icons: links
      .filter((link) =>
        relOf(link).some((rel) =>
          ['icon', 'apple-touch-icon', 'apple-touch-icon-precomposed', 'fluid-icon', 'mask-icon'].includes(
            rel,
          ),
        ),
      )
      .map((link) => iconUrl(attribute(link, 'href') ?? '', base))
      .filter((value) => value !== null)
      .slice(0, 50),
    jsonLd: all('script')
      .filter((script) => (attribute(script, 'type') ?? '').trim().toLowerCase() === 'application/ld+json')
      .map((script) => parseJson(textOf(script)))
      .filter((value) => value !== null && typeof value === 'object'),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function listElements(html: string): Element[] {
  const document = parse(html, { scriptingEnabled: false, sourceCodeLocationInfo: true });
  const found: Element[] = [];
  // Not recursive: pages may be nested deeper than the stack allows.
  const pending: Node[] = [document];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ('tagName' in node && node.namespaceURI === spec.NS.HTML) found.push(node);
    // The contents of a template are under `content`, not among its children.
    if ('childNodes' in node) pending.push(...node.childNodes);
  }
  // In the order of the source: the tree moves elements out of tables.
  return found.sort((one, other) => offsetOf(one) - offsetOf(other));
}

const offsetOf = (element: Element) => element.sourceCodeLocation?.startOffset ?? -1;

const attribute = (element: Element, name: string) =>
  element.attrs.find((attr) => (attr.prefix ? `${attr.prefix}:${attr.name}` : attr.name) === name)?.value;

const textOf = (element: Element) =>
  element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');

const words = (value: string) =>
  value
    .trim()
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter((word) => word !== '');

const relOf = (link: Element) => {
  const rel = attribute(link, 'rel') ?? '';
  return rel.length > 200 ? [] : words(rel);
};

function listMetas(metas: Element[]): { key: string; content: string }[] {
  return metas.slice(0, 1_000).flatMap((meta) => {
    const content = attribute(meta, 'content');
    if (content === undefined) return [];
    const keys = new Set<string>();
    const name = (attribute(meta, 'name') ?? '').trim().toLowerCase();
    if (name !== '') keys.add(name);
    for (const property of words(attribute(meta, 'property') ?? '')) keys.add(property);
    if ((attribute(meta, 'http-equiv') ?? '').trim().toLowerCase() === 'content-language')
      keys.add('content-language');
    return [...keys].map((key) => ({ key, content }));
  });
}

function clean(value: string): string | null {
  const text = value
    .replace(/[\x00-\x08\x0B\x0E-\x1F\x7F-\x9F]/g, '')
    // The comparison has no pages with emoji or scripts that need a joiner.
    .replace(/[\xAD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
    .split(/[\t\n\f\r ]+/)
    .join(' ')
    .trim();
  return text === '' ? null : text.slice(0, 10_000).trimEnd();
}

function absolute(value: string, base: string): string | null {
  if (value.trim() === '' || value.length > 8_192 || !URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  if (url.href.length > 8_192) return null;
  return ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

function iconUrl(value: string, base: string): string | null {
  if (value.trim() === '' || value.length > 8_192 || !URL.canParse(value, base)) return null;
  const { href, protocol } = new URL(value, base);
  if (href.length > 8_192) return null;
  return ['http:', 'https:'].includes(protocol) || /^data:image\/[\w.+-]+[;,]/i.test(href) ? href : null;
}

function findBase(bases: Element[], finalUrl: string): string {
  const first = bases.map((base) => attribute(base, 'href')).find((href) => href !== undefined);
  return (first === undefined ? null : absolute(first, finalUrl)) ?? finalUrl;
}

function findFavicon(links: Element[], base: string, finalUrl: string): string {
  const icons = links.flatMap((link) => {
    const url = iconUrl(attribute(link, 'href') ?? '', base);
    const rel = relOf(link);
    const kind = rel.includes('icon')
      ? 0
      : rel.some((word) => /^apple-touch-icon(-precomposed)?$/.test(word))
        ? 1
        : rel.includes('fluid-icon')
          ? 2
          : null;
    if (url === null || kind === null) return [];
    const isDark = /prefers-color-scheme\s*:\s*dark/i.test(attribute(link, 'media') ?? '');
    const type = (attribute(link, 'type') ?? '').trim();
    const svg =
      type === '' ? /^data:image\/svg|^[^?#]*\.svg(?:[?#]|$)/i.test(url) : /^image\/svg/i.test(type);
    const declared = words(attribute(link, 'sizes') ?? '')
      .map((word) => /^(\d+)x(\d+)$/.exec(word))
      .map((size) => (size === null ? 0 : Math.min(Number(size[1]), Number(size[2]))));
    const pixels = Math.max(0, ...declared) || (kind === 1 ? 180 : 0);
    // The order of docs/reference/metadata.md: SVG, 32 pixels or more, unknown, touch icon, fluid icon,
    // small.
    const order =
      kind === 0 && svg ? 0 : pixels > 0 && pixels < 32 ? 5 : kind > 0 ? kind + 2 : pixels > 0 ? 1 : 2;
    const size = pixels === 0 ? 0 : pixels > 192 ? pixels : 192 - pixels;
    const rank = [url.startsWith('data:') ? 1 : 0, isDark ? 1 : 0, order, String(size).padStart(5, '0')];
    return [{ url, rank: rank.join('') }];
  });
  const best = icons.map((icon) => icon.rank).sort()[0];
  return icons.find((icon) => icon.rank === best)?.url ?? `${new URL(finalUrl).origin}/favicon.ico`;
}

function findLanguage(candidates: (string | null | undefined)[]): string | null {
  for (const candidate of candidates) {
    const tag = (candidate ?? '').trim().replaceAll('_', '-');
    const extended = /^(?:ar|kok|lv|ms|sgn|sw|uz|zh)(?:-[a-z]{3})?-([a-z]{3}(?:-.*)?)$/i.exec(tag)?.[1] ?? '';
    for (const form of [tag, extended, tag.replace(/^(\w{2,3})-[a-z]{3}(?=-|$)/i, '$1')]) {
      try {
        const [canonical] = Intl.getCanonicalLocales(form);
        const language = canonical === undefined ? undefined : canonical.split('-')[0]!;
        const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
        if (
          language !== undefined &&
          !['mis', 'mul', 'und', 'zxx'].includes(language) &&
          names.of(language) !== undefined
        )
          return canonical!;
      } catch {
        // This is not a language tag.
      }
    }
  }
  return null;
}

/** Returns the charset by mark, header, meta, valid UTF-8, guess. A legacy meta loses to valid UTF-8. */
function findCharset(bytes: Buffer, head: PageHead, guess: string): string {
  const hex = bytes.toString('hex', 0, 4);
  if (hex.startsWith('efbbbf')) return 'utf-8';
  if (hex.startsWith('fffe')) return 'utf-16le';
  if (hex.startsWith('feff')) return 'utf-16be';
  const header = nameOf(/charset=["']?([^"';]+)/i.exec(head.headers.get('content-type') ?? '')?.[1]);
  if (header !== null) return header;
  const declared = findMetaCharset(
    listElements(bytes.toString('latin1')).filter((node) => node.tagName === 'meta'),
  );
  if (declared === null) return isUtf8(bytes) ? 'utf-8' : guess;
  return declared !== 'utf-8' && isUtf8(bytes) && isConvincing(bytes.toString(), declared)
    ? 'utf-8'
    : declared;
}

/** Counts the characters that are no capital letter before punctuation in another encoding. */
function isConvincing(text: string, declared: string): boolean {
  const telling = text.match(/[\x80-\u017f\u0800-\u{10ffff}]|[^\0-\x7f](?=[^\0-\x7f])/gu)?.length ?? 0;
  return telling >= (/^(?:big5|euc-|gb|shift)/.test(declared) ? 8 : 2);
}

/** Returns whether the bytes are valid UTF-8, except for an incomplete sequence at their end. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function findMetaCharset(metas: Element[]): string | null {
  for (const meta of metas.slice(0, 1_000)) {
    const pragma = (attribute(meta, 'http-equiv') ?? '').trim().toLowerCase();
    const content = pragma === 'content-type' ? (attribute(meta, 'content') ?? '') : '';
    const label =
      nameOf(attribute(meta, 'charset')) ?? nameOf(/charset\s*=\s*["']?([^\s;"']+)/i.exec(content)?.[1]);
    if (label !== null)
      return label.startsWith('utf-16') ? 'utf-8' : label === 'x-user-defined' ? 'windows-1252' : label;
  }
  return null;
}

function nameOf(label: string | undefined): string | null {
  try {
    return label === undefined || label.trim() === '' ? null : new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
