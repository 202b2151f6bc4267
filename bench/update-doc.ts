import { readFileSync, writeFileSync } from 'node:fs';

/** Replaces what is between the marks of a command in bench/scaling.md. */
export function updateScalingDoc(name: string, lines: readonly string[]): void {
  const file = new URL('scaling.md', import.meta.url);
  const marks = new RegExp(`(<!-- ${name}: .*-->\\n)[^]*?(<!-- /${name} -->)`);
  const text = readFileSync(file, 'utf8');
  if (!marks.test(text))
    throw new Error(`bench/scaling.md has no marks <!-- ${name}: … --> and <!-- /${name} -->`);
  writeFileSync(
    file,
    text.replace(marks, (_, start: string, end: string) => `${start}\n${lines.join('\n')}\n\n${end}`),
  );
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN;

/** Formats the median of ratios with the smallest and the largest. */
export const formatRatios = (ratios: readonly number[]): string =>
  `${median(ratios).toFixed(2)}, ${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
