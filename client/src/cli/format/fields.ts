import { toPlainText } from '../plain-text.ts';
import type { Style } from '../style.ts';

/** A field for people; one without a value is left out. */
export type Field = readonly [name: string, value: string | number | null | undefined];

/** Formats fields as aligned lines. */
export function formatFields(fields: readonly Field[], style: Style): string {
  const given = fields.flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [{ name: toPlainText(name), text: toPlainText(String(value)) }],
  );
  const width = Math.max(0, ...given.map(({ name }) => name.length));
  return given.map(({ name, text }) => `  ${style('dim', name.padEnd(width))}  ${text}\n`).join('');
}
