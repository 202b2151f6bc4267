import { toValue } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { SafeHtml, checkLength, escapeValue, formatValue } from '../safe-html.ts';
import { MAX_VALUE, TemplateError } from '../template-fault.ts';
import type { FilterHandler } from './guard-filter.ts';

/** Characters that end a script or an attribute, in JSON. */
const UNSAFE_IN_SCRIPT = /[<>&\u2028\u2029]/g;
const MAX_INDENT = 8;

/** Filters that make HTML of a text. What they print is not escaped again. */
export const HTML_FILTERS: Readonly<Record<string, FilterHandler>> = {
  raw: (value) => new SafeHtml(formatValue(value)),
  escape(value) {
    return escapeValue(value, this.context.escapesBraces);
  },
  escape_once(value) {
    if (value instanceof SafeHtml) return value;
    const { html } = escapeValue(formatValue(value), this.context.escapesBraces);
    return new SafeHtml(html.replace(/&amp;(amp|lt|gt|quot|#3[49]);/g, '&$1;'));
  },
  newline_to_br(value) {
    const { html } = escapeValue(value, this.context.escapesBraces);
    // Captured HTML may have 5 MiB, and each line break becomes five characters.
    checkLength(html);
    return new SafeHtml(html.replace(/\r?\n/g, '<br>\n'));
  },
  default(value, replacement, ...options) {
    const plain: unknown = toValue(value);
    if (plain === false && new Map(options as [string, unknown][]).get('allow_false') === true) return value;
    const isEmpty = plain === null || plain === undefined || plain === false || plain === '';
    return isEmpty || (Array.isArray(plain) && plain.length === 0) ? replacement : value;
  },
};

/** Filters of texts in place of Liquid's own. */
export const TEXT_FILTERS: Readonly<Record<string, FilterHandler>> = {
  /** JSON that a script may contain: `<script>const data = {{ data | json | raw }}</script>`. */
  json(value, indent) {
    const spaces = Math.max(0, Math.min(Number(indent) || 0, MAX_INDENT));
    checkIndentation(value, spaces);
    const json: string | undefined = JSON.stringify(value, null, spaces);
    return (json ?? 'null').replace(
      UNSAFE_IN_SCRIPT,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  },
  split(value, separator) {
    const parts = formatValue(value).split(formatValue(separator), MAX_VALUE.elements + 1);
    if (parts.length > MAX_VALUE.elements)
      throw new TemplateError('render_failed', `"split" makes more than ${MAX_VALUE.elements} parts.`);
    while (parts.at(-1) === '') parts.pop();
    return parts;
  },
};

/** Throws TemplateError if the indentation of a value alone is longer than a filter may make. */
function checkIndentation(value: unknown, spaces: number): void {
  if (spaces === 0 || countLevels(value, 0) * spaces <= MAX_VALUE.characters) return;
  throw new TemplateError(
    'render_failed',
    `"json" makes more than ${MAX_VALUE.characters} characters: leave out its indent.`,
  );
}

/** Adds up the depths of all values in a value: each is a line, which is indented by its depth. */
function countLevels(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || value instanceof SafeHtml) return depth;
  return Object.values(value).reduce<number>((sum, part) => sum + countLevels(part, depth + 1), depth);
}

const DECIMAL = /^\s*[+-]?\d{1,100}(?:\.\d{1,100})?\s*$/;
const MAX_DIGITS = 20;

/** Formats are expensive to make. A key is the arguments as JSON. */
const formats = new LRUCache<string, Intl.NumberFormat>({
  max: 100,
  memoMethod: (key) => new Intl.NumberFormat(...(JSON.parse(key) as [string, Intl.NumberFormatOptions])),
});

/** Filters of numbers that Liquid does not have. Anything but a number is printed as it is. */
export const NUMBER_FILTERS: Readonly<Record<string, FilterHandler>> = {
  /** `{{ 1234.5 | money: "EUR", "de-DE" }}` is 1.234,50 €. */
  money(value, currency, locale) {
    if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency))
      throw new TemplateError(
        'invalid_parameter',
        '"money" needs a currency of three letters, such as "EUR".',
      );
    return format(value, locale, { style: 'currency', currency: currency.toUpperCase() });
  },
  /** `{{ 1234.5 | number: 2, "de-DE" }}` is 1.234,50. */
  number(value, digits, locale) {
    if (digits === undefined || digits === null) return format(value, locale, { maximumFractionDigits: 3 });
    const count = Number(digits);
    if (!Number.isInteger(count) || count < 0 || count > MAX_DIGITS)
      throw new TemplateError('invalid_parameter', `"number" takes 0 to ${MAX_DIGITS} digits.`);
    return format(value, locale, { minimumFractionDigits: count, maximumFractionDigits: count });
  },
};

/** Formats a number. A decimal in a text keeps all its digits. */
function format(value: unknown, locale: unknown, options: Intl.NumberFormatOptions): unknown {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (!isNumber && !(typeof value === 'string' && DECIMAL.test(value))) return value;
  try {
    const tag = formatValue(locale ?? 'en-US').slice(0, 100);
    return formats.memo(JSON.stringify([tag, options])).format(value as Intl.StringNumericLiteral);
  } catch {
    throw new TemplateError('invalid_parameter', 'a locale must be a language tag, such as "de-DE".');
  }
}
