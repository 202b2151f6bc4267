import { escapeAttribute } from '#html';
import type { FontFace, ScannedCss } from './scan-css.ts';
import { FontCoverage } from './font-coverage.ts';
import { type DocumentPart, isInternal } from './scanned-document.ts';
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
  /** The source of all that is shown in the fonts; `html` by default. */
  shownText?: string;
  /** The URLs of images that a browser does not select, unless it has them already. */
  rejectedImages?: readonly string[];
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

type SrcsetPart = Extract<DocumentPart, { kind: 'srcset' }>;

const MAX_IMPORT_DEPTH = 5;
/** A font that fails immediately: while one is loading, its text is invisible. */
const NO_FONT = 'url(data:,)';
/** An image that is missing. One of SVG without a valid URL would show nothing. */
const NO_IMAGE = 'data:,';

/**
 * Writes the resources of a document into it as data: URLs, so that its content is all that a page sees of
 * them. What cannot be loaded keeps its URL. Throws NotInlinableError if a style sheet needs a page of its
 * own, or there is too much to inline.
 */
export async function inlineResources(
  html: string,
  parts: readonly DocumentPart[],
  { baseUrl, loader, shownText = html, rejectedImages = [] }: InlineOptions,
): Promise<InlinedText> {
  const inliner = new Inliner(shownText, loader);
  const replacements = await Promise.all(
    parts.map(async (part) => ({
      start: part.start,
      end: part.end,
      text: await inliner.replacePart(part, { baseUrl, depth: 0 }),
    })),
  );
  loader.refuseLoaded(rejectedImages, baseUrl);
  const { isMoving, leavesState, fonts } = inliner;
  return { text: replaceAll(html, replacements), isMoving, leavesState, fonts };
}

class Inliner {
  isMoving = false;
  leavesState = false;
  readonly fonts: string[] = [];
  readonly #coverage: FontCoverage;
  readonly #loader: ResourceLoader;

  constructor(shownText: string, loader: ResourceLoader) {
    this.#coverage = new FontCoverage(shownText);
    this.#loader = loader;
  }

  async replacePart(part: DocumentPart, context: Context): Promise<string | null> {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'srcset') return this.#inlineSrcset(part, context);
    if (part.kind === 'stylesheet') return this.#inlineStyleSheet(part.url, context, part.integrity);
    if (part.kind === 'image') {
      const inlined = await this.#loader.loadDataUrl('image', part.url, context.baseUrl);
      return inlined ?? (URL.canParse(part.url, context.baseUrl ?? undefined) ? null : NO_IMAGE);
    }
    const css = await this.#inlineCss(part.css, part.scanned, context);
    return part.isAttribute ? escapeAttribute(css) : css;
  }

  async #inlineSrcset({ url, descriptor }: SrcsetPart, context: Context): Promise<string> {
    const inlined = (await this.#loader.loadDataUrl('image', url, context.baseUrl)) ?? url;
    return escapeAttribute(`${inlined} ${descriptor}`);
  }

  async #inlineCss(css: string, { urls, fonts }: ScannedCss, context: Context): Promise<string> {
    const images = urls.map(async ({ kind, url, start, end }): Promise<Replacement> => {
      if (kind === 'image' && isInternal(url)) return { start, end, text: null };
      const inlined =
        kind === 'import'
          ? await this.#inlineStyleSheet(url, context)
          : await this.#loader.loadDataUrl('image', url, context.baseUrl);
      return { start, end, text: inlined === null ? null : `url(${inlined})` };
    });
    const files = fonts.map((font) => this.#replaceFont(font, context));
    // All together: one that rejects while another is awaited would be unhandled.
    const [urlTexts, fontTexts] = await Promise.all([Promise.all(images), Promise.all(files)]);
    const replacements = [...urlTexts, ...fontTexts.flat()];
    return replaceAll(
      css,
      replacements.toSorted((a, b) => a.start - b.start),
    );
  }

  /**
   * Loads the first file of a font that can be loaded. One that fails is no failure if the machine has the
   * font: a page of its own shows that.
   */
  async #replaceFont(
    { sources, unicodeRange, hasLocal }: FontFace,
    context: Context,
  ): Promise<Replacement[]> {
    const isUsed = this.#coverage.mayUse(unicodeRange);
    const replacements: Replacement[] = [];
    let isLoaded = false;
    for (const { url, start, end } of sources) {
      const inlined: string | null =
        isUsed && !isLoaded ? await this.#loader.loadDataUrl('font', url, context.baseUrl) : null;
      if (isUsed && !isLoaded && inlined === null && hasLocal) this.#loader.refuseFailure();
      if (inlined !== null) this.fonts.push(inlined);
      isLoaded ||= inlined !== null;
      // The URL of the source may need its quotes.
      const text = inlined === url ? null : inlined === null ? NO_FONT : `url(${inlined})`;
      replacements.push({ start, end, text });
    }
    return replacements;
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

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let from = 0;
  for (const replacement of replacements) {
    if (replacement.text === null) continue;
    result += text.slice(from, replacement.start) + replacement.text;
    from = replacement.end;
  }
  return result + text.slice(from);
}
