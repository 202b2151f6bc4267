import { MAX_CHARACTERS, MAX_WAIT_MS } from './limits.ts';
import { getMember, throwInvalid, throwUnexpected, type Body } from './members.ts';

/** The condition that a render waits for after the document has loaded. */
export type WaitFor = { selector: string } | { milliseconds: number };

/** A number with or without a unit. No CSS selector begins with a digit. */
const DURATION = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*(?:m?s|msecs?|secs?|milliseconds?|seconds?)?\s*$/i;

export function parseWaitFor(body: Body): WaitFor | null {
  const value = getMember(body, 'wait_for');
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_WAIT_MS)
    return { milliseconds: value };
  if (typeof value === 'string' && value.length <= MAX_CHARACTERS.wait_for && DURATION.test(value))
    return throwInvalid(
      'wait_for',
      `wait_for must be a number to wait for a time, not a string: send milliseconds from 0 to ${MAX_WAIT_MS}, such as 2000.`,
    );
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_CHARACTERS.wait_for)
    return { selector: value };
  return throwUnexpected(
    'wait_for',
    `a CSS selector of at most ${MAX_CHARACTERS.wait_for} characters, or a whole number of milliseconds from 0 to ${MAX_WAIT_MS}`,
    value,
  );
}

export function parseWaitForExpression(body: Body): string | null {
  const value = getMember(body, 'wait_for_expression');
  if (value === undefined) return null;
  const isUsable =
    typeof value === 'string' && value.trim() !== '' && value.length <= MAX_CHARACTERS.wait_for_expression;
  return isUsable
    ? value
    : throwUnexpected(
        'wait_for_expression',
        `a JavaScript expression of at most ${MAX_CHARACTERS.wait_for_expression} characters, such as "window.ready"`,
        value,
      );
}
