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
import { computeResourceDeadlineMs, type PdfJob, runPhase } from '../pdf-job.ts';
import type { PdfRequest } from '../pdf-request.ts';
import type { StaticDocument } from '../load/inline-document.ts';
import { waitForCondition } from './wait-for-condition.ts';

/** The job of a document, and how its requests are answered. */
interface WarmOptions extends PdfJob {
  fetchResource: FetchResource;
  onFailure: (failed: FailedRequest) => void;
}

/**
 * Opens any document in a page, and waits until its scripts and requests are done. `timeoutMs` is the time
 * until requests are canceled and scripts are not waited for any more. Requests are served until
 * `requests.stop()`.
 */
export async function openWarm(
  page: Page,
  { request, html, url }: { request: PdfRequest; html: string; url: string | null },
  job: WarmOptions,
): Promise<{ document: LiveDocument; requests: ServedRequests }> {
  const { now, timeoutMs } = job;
  const requests = new ServedRequests(page, job);
  const { media, javascript } = request;
  const source = { html, url, media, javascript, epochMs: request.now ?? now() };
  const isExpected = request.waitFor !== null || request.waitForExpression !== null;
  const limits = {
    settleMs: timeoutMs,
    longestSettleMs: computeResourceDeadlineMs(job.deadline.longestRemainingMs),
    now,
    onNoResponse: isExpected ? 'pass' : 'end',
  } as const;
  try {
    const document = await runPhase(job, 'load', async () => {
      // The page is closed after this document, so no other one sees the zone.
      const { timezone: timezoneId } = request;
      if (timezoneId !== null) await page.send('Emulation.setTimezoneOverride', { timezoneId });
      const loaded = await LiveDocument.load(page, source, requests, limits);
      await loaded.runToIdle();
      await waitForCondition(page, loaded, request);
      await loaded.prepareToPrint();
      return loaded;
    });
    return { document, requests };
  } catch (error) {
    requests.stop();
    throw error;
  }
}

/** Opens a document without scripts and requests, in a page that its key may have used before. */
export function openStatic(
  page: Page,
  { html, url, isMoving }: Pick<StaticDocument, 'html' | 'url' | 'isMoving'>,
  job: Pick<PdfJob, 'watch' | 'deadline'>,
): Promise<void> {
  return runPhase(job, 'load', async () => {
    await openOrigin(page, url);
    page.setScripting(false);
    if (isMoving) page.sendAndForget('Emulation.setEmulatedMedia', { media: 'print' });
    await page.setContent(html);
    if (isMoving) await finishAnimations(page);
  });
}

/** Uses what most documents need: fonts, tables, flex boxes, grids, gradients and SVG. */
const WARM_UP_HTML =
  '<!doctype html><style>td{border:1px solid;padding:2px}div{display:flex;gap:4px;background:linear-gradient(#eee,#ddd)}p{display:grid;font-family:Arial,Helvetica,sans-serif}</style><h1>A</h1><div><b>b</b><i>c</i></div><p>d <b>e</b> € 1,234.50 <i>f</i></p><table><thead><tr><th>g<tbody><tr><td>h</table><svg width=9 height=9><path d="M0 0h9v9z"/></svg>';

/** The second print is still faster than the first. */
const PRINTS = 2;

/** Prints a small document of our own: the first print of a page is a third slower. */
export async function warmUp(page: Page): Promise<void> {
  for (let count = 0; count < PRINTS; count += 1) {
    await page.setContent(WARM_UP_HTML);
    await page.sendForData('Page.printToPDF', {});
  }
  await prepareScripts(page);
}
