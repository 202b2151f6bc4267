import type { FailedRequest, FetchResource } from '#browser';
import { openDeadline } from '#concurrency';
import { ApiError } from '#errors';
import { escapeAttribute } from '#html';
import { formatFailedRequest } from '../warnings/warnings.ts';
import { type PreparedRequest, toStaticHtml } from './prepare-request.ts';
import type { PreparedTemplate, Templates } from './print-templates.ts';
import { NotInlinableError, ResourceLoader } from './resource-loader.ts';
import type { CssUrl, ScannedCss } from './scan-css.ts';
import { type DocumentPart, isInternal } from './scan-document.ts';

/** A document that needs no request: for the static lane. */
export interface StaticDocument {
  html: string;
  /** The document's URL; null if any will do. */
  url: string | null;
  /** It may have animations. */
  isMoving: boolean;
  /** It changes something that the next document of the page would inherit. */
  leavesState: boolean;
  /** The resources that it shows gaps for. */
  failures: readonly FailedRequest[];
}

/** Inlining a large document would hold the event loop, and gain nothing: its page is used only once. */
const MAX_DOCUMENT_LENGTH = 512 * 1024;
const MAX_PARTS = 1_000;

/**
 * Makes the document of the static lane, with its resources inlined; null if it needs the warm lane. Throws
 * the reason of the signal.
 */
export async function inlineDocument(
  { html, headStart, styleStart, scanned, url }: PreparedRequest,
  limits: InlineLimits,
): Promise<StaticDocument | null> {
  if (scanned === null) return null;
  const { parts, base, needsUrl, isMoving, leavesState } = scanned;
  const toDocument = (text: string): StaticDocument => ({
    html: toStaticHtml({ html: text, headStart, styleStart }, { hasBase: base !== null }),
    url: needsUrl ? url : null,
    isMoving,
    leavesState,
    failures: [],
  });
  if (parts.length === 0) return toDocument(html);
  if (html.length > MAX_DOCUMENT_LENGTH || parts.length > MAX_PARTS) return null;
  const baseUrl = base === null ? null : (URL.parse(base, url ?? undefined)?.href ?? null);
  return withInliner(limits, { mustInline: false }, async (inliner) => {
    try {
      const inlined = toDocument(await inliner.inline(html, parts, baseUrl));
      inlined.isMoving ||= inliner.isMoving;
      inlined.leavesState ||= inliner.leavesState;
      return { ...inlined, failures: inliner.loader.failures };
    } catch (error) {
      if (error instanceof NotInlinableError) return null;
      throw error;
    }
  });
}

/** Templates that need no request, and their effects on a page. */
export interface InlinedTemplates {
  templates: Templates;
  /** They change something that the next document of the page would inherit: they are measured in it. */
  leavesState: boolean;
  /** The language that selects their fonts for Han characters; null without one. */
  hanLanguage: string | null;
  /** The data: URLs of their fonts. */
  fonts: readonly string[];
  /** The resources that they show gaps for. */
  failures: readonly FailedRequest[];
}

/**
 * Writes the resources of templates into them: Chromium prints a template in a document of its own,
 * immediately and without any request. Throws ApiError and the reason of the signal.
 */
export async function inlineTemplates(
  prepared: readonly PreparedTemplate[],
  baseUrl: string | null,
  limits: InlineLimits,
): Promise<InlinedTemplates> {
  const templates: Templates = {};
  const leavesState = prepared.some(({ scanned }) => scanned.leavesState);
  const hanLanguage = prepared.find((one) => one.hanLanguage !== null)?.hanLanguage ?? null;
  for (const { name, html } of prepared) templates[name] = html;
  const own = { templates, leavesState, hanLanguage, fonts: [], failures: [] };
  if (prepared.every(({ scanned }) => scanned.parts.length === 0)) return own;
  return withInliner(limits, { mustInline: true }, async (inliner) => {
    const inline = async ({ name, html, scanned }: PreparedTemplate): Promise<void> => {
      templates[name] = await inliner.inline(html, scanned.parts, baseUrl);
    };
    await Promise.all(prepared.map(inline)).catch(throwRenderFailed);
    const { failures } = inliner.loader;
    // With the reason of the signal, not with what it has canceled.
    limits.signal?.throwIfAborted();
    for (const template of prepared) refuseLostStyleSheets(template, { baseUrl, failures });
    return { ...own, leavesState: leavesState || inliner.leavesState, fonts: [...inliner.fonts], failures };
  });
}

/** Throws invalid_parameter if a style sheet was not loaded: the template could cover the document. */
function refuseLostStyleSheets(
  { param, scanned: { parts } }: PreparedTemplate,
  { baseUrl, failures }: { baseUrl: string | null; failures: readonly FailedRequest[] },
): void {
  for (const part of parts) {
    if (part.kind !== 'stylesheet') continue;
    const url = URL.parse(part.url, baseUrl ?? undefined)?.href ?? part.url;
    const failed = failures.find((one) => one.type === 'Stylesheet' && one.url === url);
    if (!failed) continue;
    const message = `${param}: ${formatFailedRequest(failed)} Correct its URL, or send a style element.`;
    throw new ApiError('invalid_parameter', message, { param });
  }
}

function throwRenderFailed(error: unknown): never {
  if (!(error instanceof NotInlinableError)) throw error;
  throw new ApiError(
    'render_failed',
    'The header and the footer load too many or too large files: send less in header_html and footer_html.',
  );
}

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
async function withInliner<T>(
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
