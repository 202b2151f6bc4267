import { readFileSync } from 'node:fs';
import type { Score } from './open-scorer.ts';
import type { Plateau, ThresholdName } from './sweep-threshold.ts';

/** The plateaus as derived last. The tests compare the thresholds with them. */
export const PLATEAUS = new URL('../../test/email/threshold-plateaus.tsv', import.meta.url);

const HEADER = 'threshold\tfrom\tto\tvalue\tbest\tbelow\tabove';

export function formatPlateaus(
  { correct, wrong, missed }: Score,
  plateaus: ReadonlyMap<ThresholdName, Plateau>,
): string {
  const lines = [...plateaus].map(([name, { from, to, value, best, below, above }]) =>
    [name, from, to, value, best, below ?? '', above ?? ''].join('\t'),
  );
  const note = '# Written by npm run lists -- thresholds --write. The score of each is correct − 20 × false.';
  return `${[note, `# correct ${correct}, false ${wrong}, missed ${missed}`, HEADER, ...lines].join('\n')}\n`;
}

/** Loads the plateaus by the name of their threshold. */
export function loadPlateaus(): Map<string, Plateau> {
  const lines = readFileSync(PLATEAUS, 'utf8').trimEnd().split('\n').slice(3);
  return new Map(
    lines.map((line) => {
      const [name = '', ...fields] = line.split('\t');
      const [from, to, value, best, below, above] = fields.map((field) =>
        field === '' ? null : Number(field),
      );
      return [name, { from, to, value, best, below, above } as Plateau];
    }),
  );
}
