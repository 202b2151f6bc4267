import { LiquidError, type Context, type Liquid } from 'liquidjs';
import { checkLength, Placeholder, SafeHtml } from '../safe-html.ts';
import { MAX_VALUE, TemplateError } from '../template-fault.ts';
import type { TemplateContext } from '../template-context.ts';

export type FilterHandler = (
  this: { context: TemplateContext },
  value: unknown,
  ...args: unknown[]
) => unknown;

/** A filter as Liquid calls it. */
type LiquidFilter = (this: { context: Context; liquid: Liquid }, ...values: unknown[]) => unknown;

/** The weight of lists and objects, which templates never change. */
const weights = new WeakMap<object, number>();

/**
 * Bounds the values that a filter takes and makes. Captured HTML is a text to it. A fault in the path of
 * `where` has a place in that path, not in the template.
 */
export function guardFilter(handler: FilterHandler | LiquidFilter): LiquidFilter {
  return function* (...values): Generator {
    if (values[0] instanceof Placeholder) return values[0];
    const plain = values.map(toPlain);
    for (const value of plain) checkValue(value);
    try {
      const result: unknown = yield Reflect.apply(handler, this, plain);
      checkValue(result);
      return result;
    } catch (error) {
      if (!LiquidError.is(error)) throw error;
      throw new TemplateError('invalid_parameter', 'an argument of this filter is no path, such as "a.b".');
    }
  };
}

function toPlain(value: unknown): unknown {
  return value instanceof SafeHtml ? value.html : value;
}

/** Throws TemplateError if a value is larger than the next step may take. */
function checkValue(value: unknown): void {
  if (typeof value === 'string') checkLength(value);
  else if (typeof value === 'object' && value !== null && weigh(value) > MAX_VALUE.weight)
    throw new TemplateError(
      'render_failed',
      'the texts in a list have more characters than a filter can take: 4,194,304 in all.',
    );
}

/** Weighs a value by the text that it would print. A part that is in a list twice counts twice. */
function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length + 8;
  if (typeof value !== 'object' || value === null || value instanceof SafeHtml) return 8;
  const known = weights.get(value);
  if (known !== undefined) return known;
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (parts.length > MAX_VALUE.elements)
    throw new TemplateError(
      'render_failed',
      `a list of ${parts.length} elements is longer than the ${MAX_VALUE.elements} that a filter can take.`,
    );
  let weight = 8;
  for (const part of parts) weight += weigh(part);
  weights.set(value, weight);
  return weight;
}
