import type { FailedRequest } from '#browser';
import { ApiError } from '#errors';
import { formatFailedRequest } from '../warnings/warnings.ts';
import { type InlineLimits, withInliner } from './inline-resources.ts';
import { toStaticHtml } from './prepare-document.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { PreparedTemplate, Templates } from './print-templates.ts';
import { NotInlinableError } from './resource-loader.ts';

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
