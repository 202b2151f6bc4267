/** Chooses the favicon among the icons that a page and its `Link` header declare. */
import { parseLinkHeader } from './link-header.ts';
import type { PageHead } from './fetch-page.ts';
import type { PageValues } from './page-values.ts';
import { parseUrl } from './text.ts';

export interface DeclaredIcon {
  url: string;
  rel: 'icon' | 'apple-touch-icon' | 'fluid-icon';
  /** As declared, or null: `16x16 32x32`, `any`. */
  sizes: string | null;
  /** As declared, or null. */
  type: string | null;
  /** True if it is for dark color schemes only. */
  isDark: boolean;
}

/** Fewer pixels are blurred on the screens that people use. */
const MIN_PIXELS = 32;
/** Enough for a card; a larger icon only costs more bytes. */
const ENOUGH_PIXELS = 192;
/** The size of a touch icon that declares none. */
const TOUCH_ICON_PIXELS = 180;
/** More sizes in one attribute are ignored. */
const MAX_SIZES = 20;

/**
 * The kinds of icons, best first. A touch icon is opaque and has a margin, so a favicon of unknown size is
 * better; one that is known to be small is not.
 */
const KIND = { svg: 0, large: 1, unknown: 2, touch: 3, fluid: 4, small: 5 } as const;

/**
 * Returns the URL of the best icon, or `/favicon.ico` of the final origin if there is none. Icons for dark
 * schemes come after all others, and `data:` icons after those; of equal icons, the first counts.
 */
export function chooseFavicon(icons: readonly DeclaredIcon[], finalUrl: string): string {
  let best: DeclaredIcon | null = null;
  let bestRank = Infinity;
  for (const icon of icons) {
    const rank = computeRank(icon);
    if (rank < bestRank) [best, bestRank] = [icon, rank];
  }
  return best?.url ?? getDefaultIcon(finalUrl);
}

/** Returns the URLs of all icons, each once, best first; the last is `/favicon.ico` of the final origin. */
export function sortFavicons(icons: readonly DeclaredIcon[], finalUrl: string): string[] {
  const sorted = icons.map((icon) => ({ url: icon.url, rank: computeRank(icon) }));
  sorted.sort((one, other) => one.rank - other.rank);
  return [...new Set([...sorted.map(({ url }) => url), getDefaultIcon(finalUrl)])];
}

function getDefaultIcon(finalUrl: string): string {
  return new URL('/favicon.ico', finalUrl).href;
}

/** Returns a number that is smaller the better the icon is. */
function computeRank(icon: DeclaredIcon): number {
  const pixels = findPixels(icon);
  const kind = KIND[findKind(icon, pixels)];
  // Sizes up to ENOUGH_PIXELS: the larger the better. Sizes above: the smaller the better.
  const size = pixels === null ? 0 : pixels <= ENOUGH_PIXELS ? ENOUGH_PIXELS - pixels : pixels;
  const group = (icon.url.startsWith('data:') ? 2 : 0) + (icon.isDark ? 1 : 0);
  return (group * 10 + kind) * 100_000 + size;
}

function findKind(icon: DeclaredIcon, pixels: number | null): keyof typeof KIND {
  if (icon.rel === 'icon' && isSvg(icon)) return 'svg';
  if (pixels !== null && pixels < MIN_PIXELS) return 'small';
  if (icon.rel === 'apple-touch-icon') return 'touch';
  if (icon.rel === 'fluid-icon') return 'fluid';
  return pixels === null ? 'unknown' : 'large';
}

/** The declared type decides; without one, the end of the path. `sizes="any"` does not: `.ico` has it too. */
function isSvg({ url, type }: DeclaredIcon): boolean {
  if (type !== null) return /^image\/svg(?:\+xml)?\s*(?:;|$)/i.test(type);
  if (url.startsWith('data:')) return /^data:image\/svg\+xml[;,]/i.test(url);
  return /^[^?#]*\.svg(?:[?#]|$)/i.test(url);
}

/** Returns the shorter side of the largest declared size, in pixels; null if no size is declared. */
function findPixels({ rel, sizes }: DeclaredIcon): number | null {
  let largest: number | null = null;
  for (const token of sizes === null ? [] : sizes.split(/[\t\n\f\r ,]+/, MAX_SIZES)) {
    const match = /^([1-9]\d{0,3})x([1-9]\d{0,3})$/i.exec(token);
    if (match !== null) largest = Math.max(largest ?? 0, Math.min(Number(match[1]), Number(match[2])));
  }
  return largest ?? (rel === 'apple-touch-icon' ? TOUCH_ICON_PIXELS : null);
}

/**
 * Lists the icons of the page up to the stop point, then the icons of its `Link` header; if there are none,
 * the icons after the stop point. `values` is null if it is not HTML.
 */
export function listDeclaredIcons(values: PageValues | null, head: PageHead): DeclaredIcon[] {
  const icons = [...listLinkedIcons(values, false), ...listHeaderIcons(head)];
  return icons.length > 0 ? icons : listLinkedIcons(values, true);
}

function listLinkedIcons(values: PageValues | null, areLate: boolean): DeclaredIcon[] {
  const icons: DeclaredIcon[] = [];
  for (const { isLate, rel: tokens, attributes } of values?.tags.links ?? []) {
    const rel = isLate === areLate ? findIconRel(tokens) : null;
    if (rel === null || values === null) continue;
    const url = parseIconUrl(values.getRaw(attributes.get('href')!), values.base);
    if (url === null) continue;
    const getText = (name: 'sizes' | 'type' | 'media') => values.getText(attributes.get(name));
    const isDark = isForDarkSchemes(getText('media'));
    icons.push({ url, rel, sizes: getText('sizes'), type: getText('type'), isDark });
  }
  return icons;
}

function listHeaderIcons({ headers, finalUrl }: PageHead): DeclaredIcon[] {
  const icons: DeclaredIcon[] = [];
  for (const link of parseLinkHeader(headers.get('link'), finalUrl)) {
    const rel = findIconRel(link.rel);
    const url = rel === null ? null : parseIconUrl(link.href, finalUrl);
    if (rel === null || url === null) continue;
    icons.push({ url, rel, sizes: link.sizes, type: link.type, isDark: isForDarkSchemes(link.media) });
  }
  return icons;
}

function isForDarkSchemes(media: string | null): boolean {
  return /prefers-color-scheme\s*:\s*dark/i.test(media ?? '');
}

/** Returns the icon kind among a link's rel tokens, or null. A mask-icon is a stencil, not an icon. */
export function findIconRel(rel: readonly string[]): DeclaredIcon['rel'] | null {
  if (rel.includes('icon')) return 'icon';
  if (rel.includes('apple-touch-icon') || rel.includes('apple-touch-icon-precomposed'))
    return 'apple-touch-icon';
  return rel.includes('fluid-icon') ? 'fluid-icon' : null;
}

/** Parses the URL of an icon: http(s), or a data: URL of an image. Returns it absolute, or null. */
export function parseIconUrl(value: string, base: string): string | null {
  const url = parseUrl(value, base);
  if (url === null) return null;
  const isImageData = url.protocol === 'data:' && /^data:image\/[a-z0-9.+-]+[;,]/i.test(url.href);
  return isImageData || url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
