import { finishAnimations, openOrigin, type Page } from '#browser';
import type { PrintTemplates } from '../document/print-templates.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { StaticDocument } from './inline-document.ts';
import { printPage, type PrintOptions } from './print-numbered.ts';
import { toPrintParameters } from './print-parameters.ts';
import { runPhase } from './render-watch.ts';

/** Renders a document without scripts and requests, in a page that its key may have used before. */
export async function renderStatic(
  page: Page,
  request: PdfRequest,
  document: StaticDocument & { templates: PrintTemplates | null },
  options: PrintOptions,
): Promise<Buffer> {
  await runPhase(options.watch, 'load', () => load(page, document));
  const parameters = toPrintParameters(request, document.templates);
  const pdf = await printPage(page, parameters, options);
  if (document.isMoving) page.sendAndForget('Emulation.setEmulatedMedia', { media: '' });
  return pdf;
}

async function load(page: Page, { html, url, isMoving }: StaticDocument): Promise<void> {
  await openOrigin(page, url);
  const loaded = Promise.withResolvers<void>();
  page.onLoad = () => loaded.resolve();
  if (!page.isScriptless) {
    page.isScriptless = true;
    page.sendAndForget('Emulation.setScriptExecutionDisabled', { value: true });
  }
  if (isMoving) page.sendAndForget('Emulation.setEmulatedMedia', { media: 'print' });
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
  await loaded.promise;
  if (isMoving) await finishAnimations(page);
}
