import { finishAnimations, openOrigin, type Page } from '#browser';
import type { PrintTemplates } from '../document/print-templates.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { StaticDocument } from './inline-document.ts';
import { toPrintParameters } from './print-parameters.ts';

/** Renders a document without scripts and requests, in a page that its key may have used before. */
export async function renderStatic(
  page: Page,
  request: PdfRequest,
  { html, url, isMoving, templates }: StaticDocument & { templates: PrintTemplates | null },
): Promise<Buffer> {
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
  const pdf = await page.sendForData('Page.printToPDF', toPrintParameters(request, templates));
  if (isMoving) page.sendAndForget('Emulation.setEmulatedMedia', { media: '' });
  return pdf;
}
