import { escapeText } from '#html';
import type { TemplatePlace } from './balance-template.ts';

const PLACEHOLDER = /\{\{\s*(pages?|title|date)\s*\}\}/g;

/** The classes of elements that Chromium fills in. */
const CLASSES = { page: 'pageNumber', pages: 'totalPages', title: 'title' } as const;

/** The values of placeholders. Null: that of the document. */
export interface TemplateValues {
  title: string | null;
  date: string | null;
}

/**
 * Replaces the placeholders of a template in text: the page counters and the document's title by elements
 * that Chromium fills in, the others by their values. Removes them from tags and styles.
 */
export function fillPlaceholders(source: string, place: TemplatePlace, values: TemplateValues): string {
  if (place === 'markup') return source.replace(PLACEHOLDER, '');
  // A <span> would end the SVG element.
  const tag = place === 'svg' ? 'tspan' : 'span';
  return source.replace(PLACEHOLDER, (_all, name: keyof typeof CLASSES | 'date') => {
    const value = name === 'date' ? (values.date ?? '') : name === 'title' ? values.title : null;
    if (value !== null) return escapeText(value);
    return `<${tag} class="${CLASSES[name as keyof typeof CLASSES]}"></${tag}>`;
  });
}
