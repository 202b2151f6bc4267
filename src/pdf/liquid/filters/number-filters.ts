import { TemplateError } from '../template-fault.ts';
import type { FilterHandler } from './guard-filter.ts';

const DECIMAL = /^\s*[+-]?\d{1,100}(?:\.\d{1,100})?\s*$/;
const MAX_DIGITS = 20;
const MAX_FORMATS = 100;

/** Formats are expensive to make. */
const formats = new Map<string, Intl.NumberFormat>();

/** Filters of numbers that Liquid does not have. Anything but a number is printed as it is. */
export const NUMBER_FILTERS: Readonly<Record<string, FilterHandler>> = {
  /** `{{ 1234.5 | money: "EUR", "de-DE" }}` is 1.234,50 €. */
  money(value, currency, locale) {
    if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency))
      throw new TemplateError('invalid', '"money" needs a currency of three letters, such as "EUR".');
    return format(value, locale, { style: 'currency', currency: currency.toUpperCase() });
  },
  /** `{{ 1234.5 | number: 2, "de-DE" }}` is 1.234,50. */
  number(value, digits, locale) {
    if (digits === undefined || digits === null) return format(value, locale, { maximumFractionDigits: 3 });
    const count = Number(digits);
    if (!Number.isInteger(count) || count < 0 || count > MAX_DIGITS)
      throw new TemplateError('invalid', `"number" takes 0 to ${MAX_DIGITS} digits.`);
    return format(value, locale, { minimumFractionDigits: count, maximumFractionDigits: count });
  },
};

/** Formats a number. A decimal in a text keeps all its digits. */
function format(value: unknown, locale: unknown, options: Intl.NumberFormatOptions): unknown {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (!isNumber && !(typeof value === 'string' && DECIMAL.test(value))) return value;
  return getFormat(locale, options).format(value as Intl.StringNumericLiteral);
}

function getFormat(locale: unknown, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const tag = parseLocale(locale);
  const key = JSON.stringify([tag, options]);
  const known = formats.get(key);
  if (known !== undefined) return known;
  if (formats.size >= MAX_FORMATS) formats.clear();
  const made = new Intl.NumberFormat(tag, options);
  formats.set(key, made);
  return made;
}

function parseLocale(locale: unknown): string {
  if (locale === undefined || locale === null) return 'en-US';
  try {
    const [tag] = typeof locale === 'string' && locale.length <= 100 ? Intl.getCanonicalLocales(locale) : [];
    if (tag !== undefined) return tag;
  } catch {
    // The error below says it.
  }
  throw new TemplateError('invalid', 'a locale must be a language tag, such as "de-DE".');
}
