import { LiveDocument, ServedRequests, type FailedRequest, type FetchResource, type Page } from '#browser';
import type { PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';
import { formatFailedRequest } from '../warnings/format-failed-request.ts';
import { formatScriptError } from '../warnings/format-script-error.ts';
import type { Warnings } from '../warnings/warnings.ts';
import { printPage, type PrintOptions } from './print-numbered.ts';
import { toPrintParameters } from './print-parameters.ts';
import { runPhase } from './render-watch.ts';
import { waitForCondition } from './wait-for-condition.ts';

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
