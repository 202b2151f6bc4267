import { ApiError } from '#errors';
import { CdpError, type LiveDocument, type Page } from '#browser';
import type { PdfRequest } from '../pdf-request.ts';
import { removeCredentials } from '../warnings/warnings.ts';

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

const MAX_SHOWN = 80;

/** A condition that the document has to fulfill. */
interface Condition {
  member: 'wait_for' | 'wait_for_expression';
  /** The beginning of the error's message if the condition does not hold in time: "No element matched". */
  failure: string;
  /** Further sentences of that message, each after a space. */
  getHint: () => string;
  /** Throws ApiError if the condition cannot be evaluated. */
  holds: () => Promise<boolean>;
}

/** Quotes the beginning of a client's text. */
function quote(text: string): string {
  return JSON.stringify(toPlainText(text, MAX_SHOWN));
}

/** Returns the beginning of a text for a message, without control characters and passwords. */
function toPlainText(text: string, maxCharacters: number): string {
  const plain = removeCredentials(text.replace(/\p{Cc}+/gu, ' ')).toWellFormed();
  return plain.length > maxCharacters ? `${plain.slice(0, maxCharacters)}…`.toWellFormed() : plain;
}

const MEMBER = 'wait_for_expression';
const MAX_ERROR_CHARACTERS = 160;

const PENDING = Symbol('an evaluation in progress');

/**
 * Creates the condition that `expression` is truthy. It may be a promise, which settles only while time
 * passes: it is evaluated again after that.
 */
function createExpressionCondition(page: Page, expression: string): Condition {
  let evaluation: Promise<unknown> | null = null;
  let lastError = '';
  return {
    member: MEMBER,
    failure: `The expression in wait_for_expression, ${quote(expression)}, did not become true`,
    getHint: () => (evaluation === null ? lastError : ' Its promise did not settle.'),
    async holds() {
      evaluation ??= evaluate(page, expression);
      // The browser responds in order: an expression that does not wait for anything has its value by then.
      const outcome = await Promise.race([evaluation, page.evaluate('0').then(() => PENDING)]);
      if (outcome === PENDING) return false;
      evaluation = null;
      if (outcome instanceof CdpError) throw await createSyntaxError(page, expression, outcome);
      if (outcome instanceof Error) return false;
      // From the document, which can make it anything.
      const { kind, error } = Object(outcome) as { kind?: unknown; error?: unknown };
      if (kind === 'function')
        throw new ApiError(
          'invalid_parameter',
          'The value of wait_for_expression is a function: call it, or send Boolean(…) to wait until it exists.',
          { param: MEMBER },
        );
      lastError =
        kind === 'error' ? ` Its last error: ${toPlainText(String(error), MAX_ERROR_CHARACTERS)}.` : '';
      return kind === 'truthy';
    },
  };
}

/** Evaluates an expression, to an Error if it did not run. No name of this code is visible to it. */
function evaluate(page: Page, expression: string): Promise<unknown> {
  const source = `(async () => (${expression}\n))().then(
    (value) => ({ kind: typeof value === 'function' ? 'function' : value ? 'truthy' : 'falsy' }),
    (error) => {
      let text = 'an object';
      try {
        text = String(error).slice(0, 1000);
      } catch {}
      return { kind: 'error', error: text };
    },
  )`;
  return page.evaluateInDocument(source).catch((error: Error) => error);
}

/** Creates the error of an expression that cannot be parsed, about the client's text alone. */
async function createSyntaxError(page: Page, expression: string, cause: CdpError): Promise<ApiError> {
  // Parses all of the text, and runs none of it. The mode knows `await`.
  const { exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: `throw 0;\n${expression}`,
    replMode: true,
  });
  const { className, description } = exceptionDetails?.exception ?? {};
  const message =
    className === 'SyntaxError'
      ? `wait_for_expression is not valid JavaScript: ${description?.split('\n')[0]}.`
      : 'wait_for_expression must be one expression, such as "window.ready", without statements and semicolons.';
  return new ApiError('invalid_parameter', message, { param: MEMBER, cause });
}

/** Creates the condition that an element matches `selector`. */
function createSelectorCondition(page: Page, selector: string): Condition {
  const hint = findHint(selector);
  return {
    member: 'wait_for',
    failure: `No element matched the selector in wait_for, ${quote(selector)},`,
    getHint: () => hint,
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

/** The events that other programs wait for by name. */
const LOAD_EVENT = /^\s*(?:networkidle[02]?|load|domcontentloaded|commit)\s*$/i;

/**
 * JavaScript where a CSS selector is expected: `window.ready`, `document.fonts.ready`, `a === b`.
 */
const EXPRESSION = /^\s*(?:window|document|globalThis|self)\b|[!=]==?|=>|&&|\|\||;|^\s*!|\w\(\)/;

function findHint(selector: string): string {
  if (LOAD_EVENT.test(selector))
    return ' The service waits for the load event and for requests by itself: leave out wait_for.';
  return EXPRESSION.test(selector)
    ? ' wait_for takes a CSS selector: send a JavaScript expression as wait_for_expression.'
    : '';
}
