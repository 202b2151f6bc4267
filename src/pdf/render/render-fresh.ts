import { ApiError } from '#errors';
import { CdpError } from '../browser/cdp-connection.ts';
import type { Page } from '../browser/page.ts';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { FetchResource } from '../fetch-resource.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { printParameters } from './print-parameters.ts';
import { serveRequests, type RequestService } from './serve-requests.ts';

const POLL_MS = 100;
const LATE_REQUESTS_MS = 3_000;
const SCRIPT_MS = 25;
/** How fast a script gets and reads an answer: several times slower than was measured. */
const SCRIPT_BYTES_PER_MS = 50_000;

/** Resolves when fonts and images can be painted. */
const SETTLE = `(async () => { await document.fonts.ready; await Promise.all([...document.images].map((image) => image.decode().catch(() => {}))) })()`;

/** Renders any document in a page that was never used and never will be again. */
export async function renderFresh(
  page: Page,
  request: PdfRequest,
  { prepared, ...resources }: { prepared: PreparedRequest; fetchResource: FetchResource; timeoutMs: number },
): Promise<Buffer> {
  const requests = serveRequests(page, resources);
  try {
    await load(page, request, prepared.html);
    await settle(page, requests);
    if (await waitFor(page, request)) await settle(page, requests);
    return await page.printToPdf(printParameters(request, prepared.templates));
  } finally {
    requests.stop();
  }
}

/** Waits until everything that was asked for has come and can be painted, and scripts had a moment for their answers; three seconds at most for what comes after the load event. */
async function settle(page: Page, requests: RequestService): Promise<void> {
  const end = delay(LATE_REQUESTS_MS).then(() => 'end' as const);
  let seenBytes = 0;
  await evaluate(page, `${SETTLE}.then(() => ${requests.mark()})`);
  for (let seen = 0; requests.inFlight > 0 || requests.byScripts > seen;) {
    seen = requests.byScripts;
    if ((await Promise.race([end, requests.whenIdle()])) === 'end') return;
    const bytes = requests.bytesToScripts - seenBytes;
    seenBytes += bytes;
    const moment = pause(SCRIPT_MS + bytes / SCRIPT_BYTES_PER_MS);
    await evaluate(page, `${moment}.then(() => ${SETTLE}).then(() => ${requests.mark()})`);
  }
}

/** A moment by the page's own clock, which begins after the answers came in, and stands still where the page does. */
function pause(ms: number): string {
  return `new Promise((resolve) => setTimeout(resolve, ${Math.ceil(ms)}))`;
}

/** Sets the document and waits for its load event; where that cannot come any more (window.stop(), a refused navigation), for its end. */
async function load(page: Page, request: PdfRequest, html: string): Promise<void> {
  const loaded = Promise.withResolvers<'loaded'>();
  page.onLoad = () => loaded.resolve('loaded');
  // Backgrounds, fonts and frames that only paper shows are asked for only where the medium is paper while it loads.
  page.tell('Emulation.setEmulatedMedia', { media: request.media });
  if (!request.javascript) page.tell('Emulation.setScriptExecutionDisabled', { value: true });
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
  while ((await Promise.race([loaded.promise, delay(POLL_MS)])) !== 'loaded') {
    if ((await evaluate(page, 'document.readyState')) === 'complete') return;
  }
}

async function evaluate(page: Page, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression,
    contextId: page.worldId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** Waits for what the request names; false where it names nothing. */
async function waitFor(page: Page, request: PdfRequest): Promise<boolean> {
  if (request.waitFor === null) return false;
  if ('milliseconds' in request.waitFor) {
    await delay(request.waitFor.milliseconds);
  } else {
    const selector = JSON.stringify(request.waitFor.selector);
    try {
      while (!(await evaluate(page, `document.querySelector(${selector}) !== null`)))
        await delay(POLL_MS / 2);
    } catch (error) {
      if (!(error instanceof CdpError) || !error.message.includes('not a valid selector')) throw error;
      throw new ApiError('invalid_parameter', 'wait_for is not a valid CSS selector.', {
        param: 'wait_for',
        cause: error,
      });
    }
  }
  return true;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
