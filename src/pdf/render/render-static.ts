import type { Page } from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { toPrintParameters } from './print-parameters.ts';

/** Renders a self-contained document without script, in a page that its key may have used before. */
export async function renderStatic(
  page: Page,
  request: PdfRequest,
  { html, templates }: PreparedRequest,
): Promise<Buffer> {
  const loaded = Promise.withResolvers<void>();
  page.onLoad = () => loaded.resolve();
  if (!page.isScriptless) {
    page.isScriptless = true;
    page.sendAndForget('Emulation.setScriptExecutionDisabled', { value: true });
  }
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
  await loaded.promise;
  return page.sendForData('Page.printToPDF', toPrintParameters(request, templates));
}
