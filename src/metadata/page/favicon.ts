/** Which of a page's icons stands for it. */
import { resolveUrl } from './text.ts';

/** A declared icon: its place in the order of kinds is decided by `rel`. */
export interface DeclaredIcon {
  url: string;
  rel: 'icon' | 'apple-touch-icon' | 'fluid-icon';
  /** For a dark colour scheme only. */
  isDark: boolean;
}

const ORDER: Readonly<Record<DeclaredIcon['rel'], number>> = {
  icon: 0,
  'apple-touch-icon': 1,
  'fluid-icon': 2,
};

/** The first by kind and order, those for dark schemes last and `data:` after all that has an address; else `/favicon.ico` of the final origin. */
export function chooseFavicon(icons: readonly DeclaredIcon[], finalUrl: string): string {
  let best: DeclaredIcon | null = null;
  for (const icon of icons) if (best === null || rank(icon) < rank(best)) best = icon;
  return best?.url ?? new URL('/favicon.ico', finalUrl).href;
}

function rank(icon: DeclaredIcon): number {
  return ORDER[icon.rel] + (icon.isDark ? 4 : 0) + (icon.url.startsWith('data:') ? 8 : 0);
}

/** The icon kind of a link's rel tokens, or null: mask-icon is a stencil, not an icon. */
export function findIconRel(rel: readonly string[]): DeclaredIcon['rel'] | null {
  if (rel.includes('icon')) return 'icon';
  if (rel.includes('apple-touch-icon') || rel.includes('apple-touch-icon-precomposed'))
    return 'apple-touch-icon';
  return rel.includes('fluid-icon') ? 'fluid-icon' : null;
}

/** An icon may be given whole, as a data: URL of an image. */
export function readIconUrl(value: string, base: string): string | null {
  const url = resolveUrl(value, base);
  if (url === null) return null;
  const isImageData = url.protocol === 'data:' && /^data:image\/[a-z0-9.+-]+[;,]/i.test(url.href);
  return isImageData || url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
