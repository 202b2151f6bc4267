import type { FetchResource } from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { computeResourceDeadlineMs } from './deadline.ts';
import { inlineDocument, type InlineOutcome } from './inline-document.ts';
import { inlineTemplates, type InlinedTemplates } from './inline-templates.ts';
import { prepareOffThread } from './off-thread.ts';
import type { PartOptions } from './render-options.ts';
import type { RenderFetchers } from './render-fetchers.ts';
import { runPhase } from './render-watch.ts';

/** The texts of a document for the browser, with their resources if it is static. */
export interface LoadedTexts {
  prepared: PreparedRequest;
  inlined: InlineOutcome & { templates: InlinedTemplates };
}

/** Prepares the texts of a document, and inlines the resources of one that may be static. */
export function loadTexts(
  request: PdfRequest,
  fetchers: RenderFetchers,
  options: PartOptions,
): Promise<LoadedTexts> {
  return runPhase(options.watch, 'load', async () => {
    const prepared = await prepareOffThread(request, { ...options, remainingMs: options.getRemainingMs() });
    return { prepared, inlined: await inline(prepared, fetchers, options) };
  });
}

/** Inlines the resources of the document, the header and the footer, within one budget. */
async function inline(
  prepared: PreparedRequest,
  fetchers: RenderFetchers,
  { timeoutMs: maxMs, getRemainingMs, signal }: PartOptions,
): Promise<LoadedTexts['inlined']> {
  const limits = { timeoutMs: computeResourceDeadlineMs(getRemainingMs()), signal };
  // A page may use the fetcher too, and its deadline begins later, when a browser runs.
  const openFetcher = (): FetchResource => fetchers.share(maxMs);
  const [document, templates] = await Promise.all([
    inlineDocument(prepared, openFetcher, limits),
    inlineTemplates(prepared, openFetcher, limits),
  ]);
  return { ...document, templates };
}
