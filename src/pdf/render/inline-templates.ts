import { ApiError } from '#errors';
import type { FailedRequest, FetchResource } from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { PrintTemplates } from '../document/print-templates.ts';
import { removeExternalLinks } from '../document/remove-external-links.ts';
import { inlineResources, type InlinedText } from '../resources/inline-resources.ts';
import { NotInlinableError, ResourceLoader } from '../resources/resource-loader.ts';
import type { DocumentPart } from '../resources/scanned-document.ts';
import { formatFailedRequest } from '../warnings/format-failed-request.ts';
import { abortAtLimits } from './abort-at-limits.ts';

/** A header and a footer that need no request. */
export interface InlinedTemplates {
  /** Null if the request has neither. */
  templates: PrintTemplates | null;
  /** They change something that the next document of the page would inherit: they are measured in it. */
  leavesState: boolean;
  /** The language that selects their fonts for Han characters; null without one. */
  hanLanguage: string | null;
  /** The data: URLs of their fonts. */
  fonts: readonly string[];
  /** The resources that they show gaps for. */
  failures: readonly FailedRequest[];
}

const NO_RESOURCES = { fonts: [], failures: [] };

/**
 * Writes the resources of the header and the footer into them: Chromium prints a template in a document of
 * its own, at once and without any request. `openFetcher` is called if there are any. Throws ApiError and the
 * reason of `signal`.
 */
export async function inlineTemplates(
  { templates, scannedTemplates: { header, footer }, html, baseUrl }: PreparedRequest,
  openFetcher: () => FetchResource,
  limits: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<InlinedTemplates> {
  const effects = {
    leavesState: header.leavesState || footer.leavesState,
    hanLanguage: header.hanLanguage ?? footer.hanLanguage,
  };
  if (templates === null || header.parts.length + footer.parts.length === 0)
    return { templates, ...effects, ...NO_RESOURCES };
  const aborter = new AbortController();
  const loader = new ResourceLoader(openFetcher(), aborter.signal, { mustInline: true });
  const inline = async (template: string, parts: readonly DocumentPart[]): Promise<InlinedText> =>
    // A title has characters of the document.
    inlineResources(template, parts, { baseUrl, loader, shownText: template + html });
  const inlining = Promise.all([
    inline(templates.headerTemplate, header.parts),
    inline(templates.footerTemplate, footer.parts),
  ]).catch(throwRenderFailed);
  const [top, bottom] = await abortAtLimits(inlining, aborter, limits);
  refuseLostStyleSheets('header_html', header.parts, { baseUrl, failures: loader.failures });
  refuseLostStyleSheets('footer_html', footer.parts, { baseUrl, failures: loader.failures });
  return {
    ...effects,
    leavesState: effects.leavesState || top.leavesState || bottom.leavesState,
    templates: {
      headerTemplate: removeExternalLinks(top.text),
      footerTemplate: removeExternalLinks(bottom.text),
    },
    fonts: [...new Set([...top.fonts, ...bottom.fonts])],
    failures: loader.failures,
  };
}

/** Throws invalid_parameter if a style sheet was not loaded: the template could cover the document. */
function refuseLostStyleSheets(
  param: 'header_html' | 'footer_html',
  parts: readonly DocumentPart[],
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
