import { ApiError } from '#errors';
import type { LiveDocument, Page } from '#browser';
import type { PdfRequest } from '../pdf-request.ts';
import type { Condition } from './condition.ts';
import { createExpressionCondition } from './expression-condition.ts';
import { createSelectorCondition } from './selector-condition.ts';

/** Time of the document after which a condition that does not hold is an error. */
const MAX_WAIT_MS = 30_000;
const STEP_MS = 1_000;

/**
 * Waits for the conditions of a request, in the time of its document. Throws ApiError: invalid_parameter if
 * one cannot be evaluated, timeout if it does not hold after 30 s of the document's time or at its deadline.
 */
export async function waitForCondition(
  page: Page,
  document: LiveDocument,
  { waitFor, waitForExpression }: PdfRequest,
): Promise<void> {
  if (waitFor !== null && 'milliseconds' in waitFor) {
    // The document is idle: no time is no wait.
    if (waitFor.milliseconds > 0) {
      await document.advance(waitFor.milliseconds);
      await document.runToIdle();
    }
  } else if (waitFor !== null) {
    await waitUntil(document, createSelectorCondition(page, waitFor.selector));
  }
  if (waitForExpression !== null)
    await waitUntil(document, createExpressionCondition(page, waitForExpression));
}

async function waitUntil(document: LiveDocument, condition: Condition): Promise<void> {
  const { member, failure, getHint } = condition;
  let waitedMs = 0;
  for (; !(await condition.holds()); waitedMs += STEP_MS) {
    if (waitedMs < MAX_WAIT_MS && (await document.advance(STEP_MS))) continue;
    const limit =
      waitedMs < MAX_WAIT_MS
        ? 'before the time limit'
        : `within ${MAX_WAIT_MS / 1_000} s of the document's time`;
    throw new ApiError('timeout', `${failure} ${limit}.${getHint()}`, { param: member });
  }
  if (waitedMs > 0) await document.runToIdle();
}
