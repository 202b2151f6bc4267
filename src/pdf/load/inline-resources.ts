import { escapeAttribute } from '#html';
import type { CssUrl, ScannedCss } from './scan-css.ts';
import { type DocumentPart, isInternal } from './scan-document.ts';
import { NotInlinableError, type ResourceLoader } from './resource-loader.ts';

/** HTML or CSS whose resources are data: URLs. */
export interface InlinedText {
  text: string;
  /** A style sheet that was loaded may have animations. */
  isMoving: boolean;
  /** A style sheet that was loaded may change the color scheme of the page. */
  leavesState: boolean;
  /** The data: URLs of its fonts. */
  fonts: readonly string[];
}

export interface InlineOptions {
  /** The base of relative URLs; null without one. */
  baseUrl: string | null;
  loader: ResourceLoader;
}

/** Source that is replaced; null leaves it as it is. */
interface Replacement {
  start: number;
  end: number;
  text: string | null;
}

/** The URL and the depth of a text with URLs. */
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
 * Writes the resources of a document into it as data: URLs, so that its content is all that a page sees of
 * them. Only URLs are replaced: whether and where a file is used, Chromium decides. An element whose file
 * cannot be loaded keeps its URL. Throws NotInlinableError if a style sheet needs the warm
 * lane, a file that CSS names cannot be loaded (perhaps a browser does not need it), or there is too much to
 * inline.
 */
export async function inlineResources(
  html: string,
  parts: readonly DocumentPart[],
  { baseUrl, loader }: InlineOptions,
): Promise<InlinedText> {
  const inliner = new Inliner(loader);
  const text = await replaceAll(html, parts, (part) => inliner.replacePart(part, { baseUrl, depth: 0 }));
  const { isMoving, leavesState, fonts } = inliner;
  return { text, isMoving, leavesState, fonts };
}

class Inliner {
  isMoving = false;
  leavesState = false;
  readonly fonts: string[] = [];
  readonly #loader: ResourceLoader;

  constructor(loader: ResourceLoader) {
    this.#loader = loader;
  }

  async replacePart(part: DocumentPart, context: Context): Promise<string | null> {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'stylesheet') return this.#inlineStyleSheet(part.url, context, part.integrity);
    if (part.kind === 'image') return this.#loader.loadDataUrl('image', part.url, context.baseUrl);
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
        : await this.#loader.loadDataUrl(kind, url, context.baseUrl);
    if (inlined === null && !this.#loader.mustInline) throw new NotInlinableError('a file of a style sheet');
    if (inlined !== null && kind === 'font') this.fonts.push(inlined);
    // An internal URL may need its quotes.
    return kind !== 'import' && isInternal(url) ? null : `url(${inlined ?? MISSING[kind]})`;
  }

  async #inlineStyleSheet(
    url: string,
    { baseUrl, depth }: Context,
    integrity: string | null = null,
  ): Promise<string | null> {
    if (depth > MAX_IMPORT_DEPTH) throw new NotInlinableError('imports too deep');
    const sheet = await this.#loader.loadStyleSheet(url, baseUrl, integrity);
    if (sheet === null) return null;
    this.isMoving ||= sheet.scanned.isMoving;
    this.leavesState ||= sheet.scanned.hasColorScheme;
    const css = await this.#inlineCss(sheet.css, sheet.scanned, { baseUrl: sheet.url, depth: depth + 1 });
    return this.#loader.toDataUrl('text/css;charset=utf-8', Buffer.from(css), '');
  }
}

/** Replaces ranges of a text, which are in order. `replace` is called for all of them immediately. */
async function replaceAll<Range extends Omit<Replacement, 'text'>>(
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
