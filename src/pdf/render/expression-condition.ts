import { ApiError } from '#errors';
import { CdpError, type Page } from '#browser';
import { quote, toPlainText, type Condition } from './condition.ts';

const MEMBER = 'wait_for_expression';
const MAX_ERROR_CHARACTERS = 160;

/** The result of an evaluation. It is from the document, which can make it anything. */
interface Outcome {
  kind?: unknown;
  error?: unknown;
}

/** An evaluation in progress; `outcome` is an Error if the expression did not run. */
interface Evaluation {
  outcome: Outcome | Error | null;
}

/**
 * Creates the condition that `expression` is truthy. It may be a promise, which settles only while time
 * passes: it is evaluated again after that.
 */
export function createExpressionCondition(page: Page, expression: string): Condition {
  let evaluation: Evaluation | null = null;
  let lastError: string | null = null;
  return {
    member: MEMBER,
    failure: `The expression in wait_for_expression, ${quote(expression)}, did not become true`,
    getHint() {
      if (evaluation !== null) return ' Its promise did not settle.';
      return lastError === null ? '' : ` Its last error: ${toPlainText(lastError, MAX_ERROR_CHARACTERS)}.`;
    },
    async holds() {
      evaluation ??= evaluate(page, expression);
      // The browser responds in order: an expression that does not wait for anything has its value by then.
      await page.evaluate('0');
      const { outcome } = evaluation;
      if (outcome === null) return false;
      evaluation = null;
      if (outcome instanceof CdpError) throw await createSyntaxError(page, expression, outcome);
      if (outcome instanceof Error) return false;
      if (outcome.kind === 'function') throw createFunctionError();
      lastError = outcome.kind === 'error' ? String(outcome.error) : null;
      return outcome.kind === 'truthy';
    },
  };
}

/** Starts to evaluate an expression. No name of this code is visible to it. */
function evaluate(page: Page, expression: string): Evaluation {
  const started: Evaluation = { outcome: null };
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
  page.evaluateInDocument(source).then(
    (value) => (started.outcome = Object(value) as Outcome),
    (error: Error) => (started.outcome = error),
  );
  return started;
}

/** Is waited for no longer: a function is always truthy. */
function createFunctionError(): ApiError {
  return new ApiError(
    'invalid_parameter',
    'The value of wait_for_expression is a function: call it, or send Boolean(…) to wait until it exists.',
    { param: MEMBER },
  );
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
