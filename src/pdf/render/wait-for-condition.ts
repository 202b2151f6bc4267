import { ApiError } from '#errors';
import { CdpError, type LiveDocument, type Page } from '#browser';
import type { PdfRequest } from '../pdf-request.ts';

/** Time of the document after which a condition that does not hold is an error. */
const MAX_WAIT_MS = 30_000;
const STEP_MS = 1_000;
const MAX_SHOWN = 80;

/** A condition that the document has to fulfill. */
interface Condition {
  member: 'wait_for' | 'wait_for_expression';
  /** The message of the error if the condition does not hold. */
  failure: string;
  /** Throws ApiError if the condition cannot be evaluated. */
  holds: () => Promise<boolean>;
}

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

async function waitUntil(document: LiveDocument, { member, failure, holds }: Condition): Promise<void> {
  let waitedMs = 0;
  for (; !(await holds()); waitedMs += STEP_MS) {
    if (waitedMs < MAX_WAIT_MS && (await document.advance(STEP_MS))) continue;
    throw new ApiError('timeout', failure, { param: member });
  }
  if (waitedMs > 0) await document.runToIdle();
}

function createSelectorCondition(page: Page, selector: string): Condition {
  const hint = looksLikeExpression(selector)
    ? ' wait_for takes a CSS selector: send a JavaScript expression as wait_for_expression.'
    : '';
  return {
    member: 'wait_for',
    failure: `No element matched the selector in wait_for, ${quote(selector)}, within the time limit.${hint}`,
    async holds() {
      try {
        return (await page.evaluate(`document.querySelector(${JSON.stringify(selector)}) !== null`)) === true;
      } catch (error) {
        if (!(error instanceof CdpError) || !error.message.includes('not a valid selector')) throw error;
        throw new ApiError('invalid_parameter', `wait_for is not a valid CSS selector.${hint}`, {
          param: 'wait_for',
          cause: error,
        });
      }
    },
  };
}

/**
 * The expression may be a promise, which settles only while time passes: it is evaluated again after that.
 */
function createExpressionCondition(page: Page, expression: string): Condition {
  const source = `(async () => { try { return Boolean(await (${expression}\n)); } catch { return false; } })()`;
  let evaluation: { outcome: boolean | Error | null } | null = null;
  const evaluate = (): { outcome: boolean | Error | null } => {
    const started: { outcome: boolean | Error | null } = { outcome: null };
    page.evaluateInDocument(source).then(
      (value) => (started.outcome = value === true),
      (error: Error) => (started.outcome = error),
    );
    return started;
  };
  return {
    member: 'wait_for_expression',
    failure: `The expression in wait_for_expression, ${quote(expression)}, did not become true within the time limit.`,
    async holds() {
      evaluation ??= evaluate();
      // The browser responds in order: an expression that does not wait for anything has its value by then.
      await page.evaluate('0');
      const { outcome } = evaluation;
      if (outcome !== null) evaluation = null;
      if (!(outcome instanceof CdpError)) return outcome === true;
      const [reason] = outcome.message.split('\n');
      throw new ApiError('invalid_parameter', `wait_for_expression is not valid JavaScript: ${reason}.`, {
        param: 'wait_for_expression',
        cause: outcome,
      });
    },
  };
}

/**
 * Checks for JavaScript where a CSS selector is expected: `window.ready`, `document.fonts.ready`, `a === b`.
 */
function looksLikeExpression(selector: string): boolean {
  return /^\s*(?:window|document|globalThis|self)\b|[!=]==?|=>|&&|\|\||;|^\s*!|\w\(\)/.test(selector);
}

/** Quotes the beginning of a client's text, without control characters. */
function quote(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ').toWellFormed();
  return JSON.stringify(plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…`.toWellFormed() : plain);
}
