import { Drop, toValue } from 'liquidjs';
import { MAX_VALUE, TemplateError } from './template-fault.ts';

/** HTML that is printed as it is: what a template captured, or a filter escaped. To filters it is a text. */
export class SafeHtml extends Drop {
  readonly html: string;

  constructor(html: string) {
    super();
    this.html = html;
  }

  /** `{{ captured.size }}` */
  get size(): number {
    return this.html.length;
  }

  override valueOf(): string {
    return this.html;
  }

  override toString(): string {
    return this.html;
  }

  toJSON(): string {
    return this.html;
  }
}

/** A placeholder of a header, whose value is not known yet: filters leave it as it is. */
export class Placeholder extends SafeHtml {}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
};

/**
 * Escapes a value for text and for attributes in quotes; SafeHtml stays as it is. `escapesBraces`: data can
 * become no placeholder of a header.
 */
export function escapeValue(value: unknown, escapesBraces: boolean): SafeHtml {
  if (value instanceof SafeHtml) return value;
  const text = formatValue(value);
  checkLength(text);
  const special = escapesBraces ? /[&<>"'{]/g : /[&<>"']/g;
  return new SafeHtml(text.replace(special, (character) => ENTITIES[character] ?? character));
}

/** Formats a value as text: nothing for null, JSON for an object, the elements of a list in their order. */
export function formatValue(value: unknown): string {
  const plain: unknown = toValue(value);
  if (typeof plain === 'string') return plain;
  if (plain === null || plain === undefined) return '';
  if (Array.isArray(plain)) return plain.map(formatValue).join('');
  if (typeof plain === 'number' || typeof plain === 'boolean') return String(plain);
  return JSON.stringify(plain);
}

/** Throws TemplateError if a text is longer than a filter may take or make. */
export function checkLength(text: string): void {
  if (text.length <= MAX_VALUE.characters) return;
  throw new TemplateError(
    'render_failed',
    `a text of ${text.length} characters is longer than the ${MAX_VALUE.characters} that a filter can take.`,
  );
}
