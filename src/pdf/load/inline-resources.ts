import { openDeadline } from '#concurrency';
import type { FetchResource } from '#browser';
import { escapeAttribute } from '#html';
import type { CssUrl, ScannedCss } from './scan-css.ts';
import { type DocumentPart, isInternal } from './scan-document.ts';
import { NotInlinableError, ResourceLoader } from './resource-loader.ts';

/** The fetcher of what is inlined, and its limits. */
export interface InlineLimits {
  fetchResource: FetchResource;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Runs `work`, which inlines the resources of a document or of templates (`mustInline`). Throws the reason of
 * the signal.
 */
export async function withInliner<T>(
  { fetchResource, timeoutMs, signal }: InlineLimits,
  options: { mustInline: boolean },
  work: (inliner: Inliner) => Promise<T>,
): Promise<T> {
  const deadline = openDeadline(timeoutMs, signal);
  const inliner = new Inliner(new ResourceLoader(fetchResource, deadline.signal, options));
  const result = await work(inliner).finally(() => deadline.close());
  signal?.throwIfAborted();
  return result;
}

/** A text with URLs. */
interface Context {
  /** The base of relative URLs; null without one. */
  baseUrl: string | null;
  /** The number of style sheets that import this one. */
  depth: number;
}

const MAX_IMPORT_DEPTH = 5;
/**
 * The URLs that a template has in place of files that cannot be loaded: while a font is loading, its text is
 * invisible, and a renderer crashes if a template requests a style sheet or a font.
 */
const MISSING: Record<CssUrl['kind'], string> = {
  image: 'data:,',
  font: 'data:,',
  import: 'data:text/css,',
};

/**
 * Writes the resources of HTML into it as data: URLs, so that its content is all that a page sees of them.
 * Only URLs are replaced: whether and where a file is used, Chromium decides.
 */
class Inliner {
  readonly loader: ResourceLoader;
  /** A style sheet that was loaded may have animations. */
  isMoving = false;
  /** A style sheet that was loaded may change the color scheme of the page. */
  leavesState = false;
  /** The data: URLs of fonts. */
  readonly fonts = new Set<string>();

  constructor(loader: ResourceLoader) {
    this.loader = loader;
  }

  /**
   * Inlines the resources of one text. An element whose file cannot be loaded keeps its URL. Throws
   * NotInlinableError if a style sheet needs the warm lane, a file that CSS names cannot be loaded (perhaps a
   * browser does not need it), or there is too much to inline.
   */
  inline(html: string, parts: readonly DocumentPart[], baseUrl: string | null): Promise<string> {
    return replaceAll(html, parts, (part) => this.#replacePart(part, { baseUrl, depth: 0 }));
  }

  async #replacePart(part: DocumentPart, context: Context): Promise<string | null> {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'image') return this.loader.loadDataUrl('image', part.url, context.baseUrl);
    if (part.kind === 'stylesheet') {
      const inlined = await this.#inlineStyleSheet(part.url, context, part.integrity);
      return inlined ?? (this.loader.mustInline ? MISSING.import : null);
    }
    const css = await this.#inlineCss(part.css, part.scanned, context);
    return part.isAttribute ? escapeAttribute(css) : css;
  }

  #inlineCss(css: string, { urls }: ScannedCss, context: Context): Promise<string> {
    return replaceAll(css, urls, (found) => this.#inlineUrl(found, context));
  }

  async #inlineUrl({ kind, url }: CssUrl, context: Context): Promise<string | null> {
    const inlined =
      kind === 'import'
        ? await this.#inlineStyleSheet(url, context)
        : await this.loader.loadDataUrl(kind, url, context.baseUrl);
    if (inlined === null && !this.loader.mustInline) throw new NotInlinableError('a file of a style sheet');
    if (inlined !== null && kind === 'font') this.fonts.add(inlined);
    // An internal URL may need its quotes.
    return kind !== 'import' && isInternal(url) ? null : `url(${inlined ?? MISSING[kind]})`;
  }

  async #inlineStyleSheet(
    url: string,
    { baseUrl, depth }: Context,
    integrity: string | null = null,
  ): Promise<string | null> {
    if (depth > MAX_IMPORT_DEPTH) throw new NotInlinableError('imports too deep');
    const sheet = await this.loader.loadStyleSheet(url, baseUrl, integrity);
    if (sheet === null) return null;
    this.isMoving ||= sheet.scanned.isMoving;
    this.leavesState ||= sheet.scanned.hasColorScheme;
    const css = await this.#inlineCss(sheet.css, sheet.scanned, { baseUrl: sheet.url, depth: depth + 1 });
    return this.loader.toDataUrl('text/css;charset=utf-8', Buffer.from(css), '');
  }
}

/** Replaces ranges of a text, which are in order. Calls `replace` for all; null leaves one as it is. */
async function replaceAll<Range extends { start: number; end: number }>(
  text: string,
  ranges: readonly Range[],
  replace: (range: Range) => Promise<string | null>,
): Promise<string> {
  // All together: one that rejects while another is awaited would be unhandled.
  const texts = await Promise.all(ranges.map(replace));
  let result = '';
  let from = 0;
  for (const [index, { start, end }] of ranges.entries()) {
    const replaced = texts[index] ?? null;
    if (replaced === null) continue;
    result += text.slice(from, start) + replaced;
    from = end;
  }
  return result + text.slice(from);
}
