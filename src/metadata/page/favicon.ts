/** Chooses the favicon among a page's icons. */
import { parseUrl } from './text.ts';

export interface DeclaredIcon {
  url: string;
  rel: 'icon' | 'apple-touch-icon' | 'fluid-icon';
  /** True if it is for dark color schemes only. */
  isDark: boolean;
}

/** Better kinds first. */
const ORDER: Readonly<Record<DeclaredIcon['rel'], number>> = {
  icon: 0,
  'apple-touch-icon': 1,
  'fluid-icon': 2,
};

/**
 * Returns the URL of the first icon of the best kind, or `/favicon.ico` of the final origin if the page
 * declares none. Icons for dark schemes come after all others, and `data:` icons after those.
 */
export function chooseFavicon(icons: readonly DeclaredIcon[], finalUrl: string): string {
  let best: DeclaredIcon | null = null;
  for (const icon of icons) if (best === null || computeRank(icon) < computeRank(best)) best = icon;
  return best?.url ?? new URL('/favicon.ico', finalUrl).href;
}

function computeRank(icon: DeclaredIcon): number {
  return ORDER[icon.rel] + (icon.isDark ? 4 : 0) + (icon.url.startsWith('data:') ? 8 : 0);
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
