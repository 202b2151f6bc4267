import { PageValues } from '../page/page-values.ts';
import type { ScannedPage } from '../page/scanned-page.ts';
import { WALLS, type WallSign } from './walls.ts';

/** The source is searched so far: walls are short, or begin with what makes them one. */
const MAX_SEARCHED_BYTES = 65_536;

const SIGNS = WALLS.flatMap(({ name, signs }) => signs.map((sign) => ({ name, sign })));
/** The signs of a page with status 200: most signs need a refusal, and most pages are none. */
const SIGNS_OF_200 = SIGNS.filter(({ sign }) => sign.status?.includes(200) !== false);

/** Returns the name of the wall that a site sent in place of the requested page, or null. */
export function findWall(page: ScannedPage): string | null {
  const evidence = new Evidence(page);
  const signs = page.head.status === 200 ? SIGNS_OF_200 : SIGNS;
  return signs.find(({ sign }) => evidence.has(sign))?.name ?? null;
}

/** The properties of a page that signs refer to, computed when one needs them. */
class Evidence {
  readonly #page: ScannedPage;
  readonly #url: URL;
  #title: string | undefined;
  #hasOpenGraph: boolean | undefined;

  constructor(page: ScannedPage) {
    this.#page = page;
    this.#url = new URL(page.head.finalUrl);
  }

  /** Compares the cheap parts first: most pages have none of them and are not searched. */
  has(sign: WallSign): boolean {
    const { status, header, host, path, isRedirected, title, source } = sign;
    const { head } = this.#page;
    if (status?.includes(head.status) === false) return false;
    if (header && !header[1].test(head.headers.get(header[0]) ?? '')) return false;
    if (host?.test(this.#url.hostname) === false || path?.test(this.#url.pathname) === false) return false;
    if (isRedirected && !this.#isRedirectedTo(path)) return false;
    if (!this.#isWithin(sign)) return false;
    if (title?.test(this.#findTitle()) === false) return false;
    return source === undefined || source.every((piece) => this.#includes(piece));
  }

  /** Returns false if the first URL has such a path too: the caller requested a login. */
  #isRedirectedTo(path: RegExp | undefined): boolean {
    const [first] = this.#page.head.redirects;
    return first !== undefined && path?.test(URL.parse(first.url)?.pathname ?? '') !== true;
  }

  #isWithin({ maxBytes = Infinity, bareBytes = Infinity }: WallSign): boolean {
    const { html } = this.#page;
    if (html === null) return true;
    if (html.bytes.length > Math.min(maxBytes, bareBytes)) return false;
    if (bareBytes === Infinity) return true;
    this.#hasOpenGraph ??= html.tags.metas.some(({ key }) => key.startsWith('og:'));
    return !this.#hasOpenGraph;
  }

  #findTitle(): string {
    const { html, head } = this.#page;
    this.#title ??= html === null ? '' : (new PageValues(html, head.finalUrl).findTitle() ?? '');
    return this.#title;
  }

  #includes(piece: string): boolean {
    return this.#page.html?.bytes.subarray(0, MAX_SEARCHED_BYTES).includes(piece, 0, 'latin1') === true;
  }
}
