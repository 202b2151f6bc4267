import type { FetchResource } from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { computeResourceDeadlineMs } from './deadline.ts';
import { type InlineOutcome, type RenderFetchers, inlineDocument } from './inline-document.ts';
import { type InlinedTemplates, inlineTemplates } from './inline-templates.ts';
import { prepareOffThread } from './off-thread.ts';
import { type PartOptions, runPhase } from './render-options.ts';

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

/** A false match costs two calls of the page, and a hint too many. */
const MAY_HAVE_SCRIPTS = /<script|[\s"'/]on[a-z]+\s*=|javascript:/i;

/** Checks whether a document may have scripts that run. */
export function mayRunScripts({ javascript }: { javascript: boolean }, html: string): boolean {
  return javascript && MAY_HAVE_SCRIPTS.test(html);
}
