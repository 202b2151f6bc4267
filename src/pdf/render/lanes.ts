import {
  type FailedRequest,
  type FetchResource,
  LiveDocument,
  type Page,
  ServedRequests,
  finishAnimations,
  openOrigin,
  prepareScripts,
} from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { type Warnings, formatFailedRequest, formatScriptError } from '../warnings/warnings.ts';
import { type PrintOptions, printPage } from './print-numbered.ts';
import { runPhase, toPrintParameters } from './render-options.ts';
import { waitForCondition } from './wait-for-condition.ts';
import type { PrintTemplates } from '../document/print-templates.ts';
import type { StaticDocument } from './inline-document.ts';

export interface FreshRenderOptions extends PrintOptions {
  prepared: PreparedRequest;
  /** The document may have scripts, which run. */
  isScripted: boolean;
  fetchResource: FetchResource;
  /** Milliseconds until requests are canceled and scripts are not waited for any more. */
  timeoutMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
  warnings: Warnings;
}

/** Renders any document, in a page that is used for this document only. */
export async function renderFresh(
  page: Page,
  request: PdfRequest,
  { prepared, isScripted, now, warnings, numbering, watch, ...resources }: FreshRenderOptions,
): Promise<Buffer> {
  const onFailure = (failed: FailedRequest): void => warnings.add('resource', formatFailedRequest(failed));
  const requests = new ServedRequests(page, { ...resources, onFailure });
  try {
    const { html, url } = prepared;
    const { media, javascript } = request;
    const source = { html, url, media, javascript, epochMs: request.now ?? now() };
    const isExpected = request.waitFor !== null || request.waitForExpression !== null;
    const onNoResponse = isExpected ? 'pass' : 'end';
    const limits = { settleMs: resources.timeoutMs, now, onNoResponse } as const;
    const document = await runPhase(watch, 'load', async () => {
      // The page is closed after this document, so no other one sees the zone.
      const { timezone: timezoneId } = request;
      if (timezoneId !== null) await page.send('Emulation.setTimezoneOverride', { timezoneId });
      const loaded = await LiveDocument.load(page, source, requests, limits);
      await loaded.runToIdle();
      await waitForCondition(page, loaded, request);
      await loaded.prepareToPrint();
      return loaded;
    });
    const parameters = toPrintParameters(request, prepared.templates);
    const pdf = await printPage(page, parameters, { numbering, watch });
    if (isScripted)
      for (const error of await document.findErrors()) warnings.add('script', formatScriptError(error));
    return pdf;
  } finally {
    requests.stop();
  }
}

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

/** Uses what most documents need: fonts, tables, flex boxes, grids, gradients and SVG. */
const WARM_UP_HTML =
  '<!doctype html><style>td{border:1px solid;padding:2px}div{display:flex;gap:4px;background:linear-gradient(#eee,#ddd)}p{display:grid;font-family:Arial,Helvetica,sans-serif}</style><h1>A</h1><div><b>b</b><i>c</i></div><p>d <b>e</b> € 1,234.50 <i>f</i></p><table><thead><tr><th>g<tbody><tr><td>h</table><svg width=9 height=9><path d="M0 0h9v9z"/></svg>';

/** The second print is still faster than the first. */
const PRINTS = 2;

/** Prints a small document of our own: the first print of a page is a third slower. */
export async function warmUp(page: Page): Promise<void> {
  for (let count = 0; count < PRINTS; count += 1) await printSample(page);
  await prepareScripts(page);
}

async function printSample(page: Page): Promise<void> {
  const loaded = Promise.withResolvers<void>();
  page.onLoad = () => loaded.resolve();
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html: WARM_UP_HTML });
  await Promise.race([loaded.promise, page.whenLost]);
  await page.sendForData('Page.printToPDF', {});
}
