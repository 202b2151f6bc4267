import { ApiError } from '#errors';
import { CdpError, type Page } from '#browser';
import { quote, type Condition } from './condition.ts';

/** Creates the condition that an element matches `selector`. */
export function createSelectorCondition(page: Page, selector: string): Condition {
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
