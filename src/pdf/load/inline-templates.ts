import { openDeadline } from '#concurrency';
import { ApiError } from '#errors';
import type { FailedRequest, FetchResource } from '#browser';
import { scanHtml } from '#html';
import { LRUCache } from 'lru-cache';
import type { PreparedRequest } from './prepare-request.ts';
import type { PrintTemplates } from './print-templates.ts';
import { removeExternalLinks } from './prepare-document.ts';
import { inlineResources } from './inline-resources.ts';
import { NotInlinableError, ResourceLoader } from './resource-loader.ts';
import type { ScannedDocument } from './scan-document.ts';
import { formatFailedRequest } from '../warnings/warnings.ts';

/** The effects of templates on a page, and their fonts and failures. */
export interface TemplateEffects {
  /** They change something that the next document of the page would inherit: they are measured in it. */
  leavesState: boolean;
  /** The language that selects their fonts for Han characters; null without one. */
  hanLanguage: string | null;
  /** The data: URLs of their fonts. */
  fonts: readonly string[];
  /** The resources that they show gaps for. */
  failures: readonly FailedRequest[];
}

/** A header and a footer that need no request. */
export interface InlinedTemplates extends TemplateEffects {
  /** Null if the request has neither. */
  templates: PrintTemplates | null;
}

/** A template of a request, and the member that it is of. */
export interface TemplateSource {
  param: 'header_html' | 'footer_html' | 'first_header_html' | 'first_footer_html' | 'watermark_html';
  html: string;
  scanned: ScannedDocument;
}

/** The limits of inlining. `openFetcher` is called if there is anything to fetch. */
interface InlineLimits {
  openFetcher: () => FetchResource;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Writes the resources of the header and the footer into them: Chromium prints a template in a document of
 * its own, immediately and without any request. `openFetcher` is called if there are any. Throws ApiError and
 * the reason of `signal`.
 */
export async function inlineTemplates(
  { templates, scannedTemplates: { header, footer }, baseUrl }: PreparedRequest,
  openFetcher: () => FetchResource,
  limits: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<InlinedTemplates> {
  if (templates === null || header.parts.length + footer.parts.length === 0)
    return { templates, ...findEffects([header, footer]), fonts: [], failures: [] };
  const sources: TemplateSource[] = [
    { param: 'header_html', html: templates.headerTemplate, scanned: header },
    { param: 'footer_html', html: templates.footerTemplate, scanned: footer },
  ];
  const inlined = await inlineSources(sources, baseUrl, { openFetcher, ...limits });
  const [headerTemplate = '', footerTemplate = ''] = inlined.texts;
  return { ...inlined, templates: { headerTemplate, footerTemplate } };
}

/** Writes the resources of templates into them. Throws ApiError and the reason of `signal`. */
export async function inlineSources(
  sources: readonly TemplateSource[],
  baseUrl: string | null,
  { openFetcher, ...limits }: InlineLimits,
): Promise<TemplateEffects & { texts: string[] }> {
  const effects = findEffects(sources.map(({ scanned }) => scanned));
  if (sources.every(({ scanned }) => scanned.parts.length === 0))
    return { ...effects, texts: sources.map(({ html }) => html), fonts: [], failures: [] };
  const deadline = openDeadline(limits.timeoutMs, limits.signal);
  const loader = new ResourceLoader(openFetcher(), deadline.signal, { mustInline: true });
  const inlined = await Promise.all(
    sources.map(({ html, scanned: { parts } }) => inlineResources(html, parts, { baseUrl, loader })),
  )
    .catch(throwRenderFailed)
    .finally(() => deadline.close());
  limits.signal?.throwIfAborted();
  for (const source of sources) refuseLostStyleSheets(source, { baseUrl, failures: loader.failures });
  return {
    ...effects,
    leavesState: effects.leavesState || inlined.some(({ leavesState }) => leavesState),
    texts: inlined.map(({ text }) => removeExternalLinks(text)),
    fonts: [...new Set(inlined.flatMap(({ fonts }) => fonts))],
    failures: loader.failures,
  };
}

function findEffects(
  scanned: readonly ScannedDocument[],
): Pick<TemplateEffects, 'leavesState' | 'hanLanguage'> {
  return {
    leavesState: scanned.some(({ leavesState }) => leavesState),
    hanLanguage: scanned.find(({ hanLanguage }) => hanLanguage !== null)?.hanLanguage ?? null,
  };
}

/** Throws invalid_parameter if a style sheet was not loaded: the template could cover the document. */
function refuseLostStyleSheets(
  { param, scanned: { parts } }: TemplateSource,
  { baseUrl, failures }: { baseUrl: string | null; failures: readonly FailedRequest[] },
): void {
  for (const part of parts) {
    if (part.kind !== 'stylesheet') continue;
    const url = URL.parse(part.url, baseUrl ?? undefined)?.href ?? part.url;
    const failed = failures.find((one) => one.type === 'Stylesheet' && one.url === url);
    if (failed) {
      const message = `${param}: ${formatFailedRequest(failed)} Correct its URL, or send a style element.`;
      throw new ApiError('invalid_parameter', message, { param });
    }
  }
}

function throwRenderFailed(error: unknown): never {
  if (!(error instanceof NotInlinableError)) throw error;
  throw new ApiError(
    'render_failed',
    'The header and the footer load too many or too large files: send less in header_html and footer_html.',
  );
}

/** Distances from the edges of the sheet to the inner ends of the header and the footer, in pixels. */
export type Heights = readonly [top: number, bottom: number];

const MAX_ENTRIES = 500;
/** Larger templates are measured each time. */
const MAX_LENGTH = 16 * 1024;

/**
 * The heights of headers and footers that were measured, for the same API key: most documents of a key have
 * the same ones, but for numbers.
 */
export class TemplateHeights {
  readonly #heights = new LRUCache<string, Heights>({ max: MAX_ENTRIES });

  /** Returns the heights of the header and footer in `html`; measures them if they are not known. */
  async find(keyId: string, html: string, measure: () => Promise<Heights | null>): Promise<Heights | null> {
    if (html.length > MAX_LENGTH) return measure();
    const key = `${keyId} ${maskNumbers(html)}`;
    const known = this.#heights.get(key);
    if (known) return known;
    const heights = await measure();
    if (heights) this.#heights.set(key, heights);
    return heights;
  }
}

/**
 * Replaces the digits of text: numbers of as many digits are as wide. Those of tags, styles and character
 * references stay.
 */
function maskNumbers(html: string): string {
  let masked = '';
  for (const { kind, start, end } of scanHtml(html)) {
    const source = html.slice(start, end);
    masked += kind === 'text' ? source.replace(REFERENCE_OR_DIGIT, maskDigit) : source;
  }
  return masked;
}

const REFERENCE_OR_DIGIT = /&#?\w+|\d/g;

function maskDigit(match: string): string {
  return match.startsWith('&') ? match : '0';
}
