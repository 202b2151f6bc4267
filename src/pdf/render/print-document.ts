import type { Page } from '#browser';
import { resolvesWithin } from '#concurrency';
import { preloadFonts } from '../document/prepare-document.ts';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { Numbering } from '../contents/numbering.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { type KnownGlyphs, collectUnusualCharacters, warnOfMissingGlyphs } from '../warnings/glyph-check.ts';
import { Warnings, formatFailedRequest } from '../warnings/warnings.ts';
import { checkTemplates } from './check-templates.ts';
import { explainPageRanges } from './to-api-error.ts';
import type { InlinedTemplates, TemplateHeights } from './inline-templates.ts';
import type { StaticDocument } from './inline-document.ts';
import { mayRunScripts } from './load-texts.ts';
import { type FreshRenderOptions, renderFresh, renderStatic } from './lanes.ts';
import type { RenderWatch } from './render-options.ts';

/** A PDF as Chromium printed it. */
export interface PrintedDocument {
  pdf: Buffer;
  /** Of this attempt: a document whose browser was lost is rendered again. */
  warnings: Warnings;
}

/** A request, with what both lanes need of it. */
export interface PrintJob {
  request: PdfRequest;
  prepared: PreparedRequest;
  templates: InlinedTemplates;
  glyphs: KnownGlyphs;
  heights: TemplateHeights;
  keyId: string;
  /** The page numbers of its links; null if it certainly has none. */
  numbering: Numbering | null;
  watch: RenderWatch | undefined;
}

/** A document may be busy with a script after it was printed: it has its PDF, without further warnings. */
const MAX_CHECKS_MS = 1_000;

/** Prints a static document in a page that its key may have used before, and finds what to warn of. */
export async function printStatic(
  page: Page,
  document: StaticDocument,
  {
    request,
    prepared,
    glyphs,
    numbering,
    watch,
    templates: { templates, fonts, failures },
    ...heights
  }: PrintJob,
): Promise<PrintedDocument> {
  const warnings = new Warnings();
  for (const failed of [...document.failures, ...failures])
    warnings.add('resource', formatFailedRequest(failed));
  const html = preloadFonts({ html: document.html, headStart: prepared.headStart }, fonts);
  const print = (): Promise<Buffer> =>
    renderStatic(page, request, { ...document, html, templates }, { numbering, watch });
  const printing = explainPageRanges(page, request, { templates, print });
  // While the browser is busy.
  const unusual = collectUnusualCharacters(prepared.html);
  const pdf = await printing;
  const source = { unusual, glyphs, isScripted: false, hasScreenLayout: false };
  await warnOfMissingGlyphs(page, warnings, source);
  await checkTemplates(page, request, { templates, warnings, isReused: true, ...heights });
  return { pdf, warnings };
}

/** Prints any document in a page that is used for it only, and finds what to warn of. */
export async function printFresh(
  page: Page,
  options: Omit<FreshRenderOptions, 'prepared' | 'isScripted' | 'warnings' | 'numbering' | 'watch'>,
  {
    request,
    prepared,
    glyphs,
    numbering,
    watch,
    templates: { templates, fonts, failures },
    ...heights
  }: PrintJob,
): Promise<PrintedDocument> {
  const warnings = new Warnings();
  for (const failed of failures) warnings.add('resource', formatFailedRequest(failed));
  const document = { ...prepared, html: preloadFonts(prepared, fonts), templates };
  const isScripted = mayRunScripts(request, prepared.html);
  const print = (): Promise<Buffer> =>
    renderFresh(page, request, { ...options, prepared: document, isScripted, warnings, numbering, watch });
  const pdf = await explainPageRanges(page, request, { templates, print });
  const unusual = collectUnusualCharacters(prepared.html);
  const source = { unusual, glyphs, isScripted, hasScreenLayout: true };
  const check = async (): Promise<void> => {
    await warnOfMissingGlyphs(page, warnings, source);
    await checkTemplates(page, request, { templates, warnings, isReused: false, ...heights });
  };
  await resolvesWithin(check(), MAX_CHECKS_MS);
  return { pdf, warnings };
}
