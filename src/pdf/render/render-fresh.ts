import { ApiError } from '#errors';
import { CdpError, serveRequests, type FetchResource, type Page, type ServedRequests } from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { toPrintParameters } from './print-parameters.ts';

const POLL_MS = 100;
const LATE_REQUESTS_MS = 3_000;
const SCRIPT_MS = 25;
/** The speed at which a script receives and parses a response; several times slower than measured. */
const SCRIPT_BYTES_PER_MS = 50_000;

/** An expression that resolves when fonts and images can be painted. */
const PAINTABLE = `(async () => { await document.fonts.ready; await Promise.all([...document.images].map((image) => image.decode().catch(() => {}))) })()`;

/** Renders any document, in a page that is used for this document only. */
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
    return await page.sendForData('Page.printToPDF', toPrintParameters(request, prepared.templates));
  } finally {
    requests.stop();
  }
}

/**
 * Waits until all requested resources have arrived and can be painted, and scripts had a moment to use their
 * responses. Requests that scripts make after the load event are waited for at most three seconds.
 */
async function settle(page: Page, requests: ServedRequests): Promise<void> {
  const timeout = delay(LATE_REQUESTS_MS).then(() => 'timeout' as const);
  let seenBytes = 0;
  await page.evaluate(`${PAINTABLE}.then(() => ${requests.createMarker()})`);
  for (let seen = 0; requests.inFlight > 0 || requests.byScripts > seen;) {
    seen = requests.byScripts;
    if ((await Promise.race([timeout, requests.whenIdle()])) === 'timeout') return;
    const bytes = requests.bytesToScripts - seenBytes;
    seenBytes += bytes;
    const pause = formatPause(SCRIPT_MS + bytes / SCRIPT_BYTES_PER_MS);
    await page.evaluate(`${pause}.then(() => ${PAINTABLE}).then(() => ${requests.createMarker()})`);
  }
}

/**
 * Returns an expression that resolves after `ms` of the page's own clock: while the page is blocked, it does
 * not pass.
 */
function formatPause(ms: number): string {
  return `new Promise((resolve) => setTimeout(resolve, ${Math.ceil(ms)}))`;
}

/**
 * Loads the document. Waits for its load event, or for its end if that event cannot come (window.stop(), a
 * blocked navigation).
 */
async function load(page: Page, request: PdfRequest, html: string): Promise<void> {
  const loaded = Promise.withResolvers<'loaded'>();
  page.onLoad = () => loaded.resolve('loaded');
  // Backgrounds, fonts and frames for print are requested only if the medium is print while the document
  // loads.
  page.sendAndForget('Emulation.setEmulatedMedia', { media: request.media });
  if (!request.javascript) page.sendAndForget('Emulation.setScriptExecutionDisabled', { value: true });
  await page.send('Page.setDocumentContent', { frameId: page.targetId, html });
  while ((await Promise.race([loaded.promise, delay(POLL_MS)])) !== 'loaded') {
    if ((await page.evaluate('document.readyState')) === 'complete') return;
  }
}

/** Waits for the selector or the time of `wait_for`. Returns false if the request has none. */
async function waitFor(page: Page, request: PdfRequest): Promise<boolean> {
  if (request.waitFor === null) return false;
  if ('milliseconds' in request.waitFor) {
    await delay(request.waitFor.milliseconds);
  } else {
    const selector = JSON.stringify(request.waitFor.selector);
    try {
      while (!(await page.evaluate(`document.querySelector(${selector}) !== null`))) await delay(POLL_MS / 2);
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
