import { readFileSync } from 'node:fs';

/** One row of test/vectors/egress-cases.tsv. */
export interface EgressCase {
  id: string;
  surface: string;
  category: string;
  /** The input with its escapes resolved. */
  input: string;
  /**
   * The expected result of metadata, without the part after the colon: BLOCKED, ALLOWED, INVALID or ERROR.
   */
  verdict: string;
  note: string;
}

function unescape(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|([tnr\\]))/gi, (_all, hex: string | undefined, letter: string) =>
    hex === undefined
      ? ({ t: '\t', n: '\n', r: '\r' }[letter] ?? letter)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Loads the attacks on the network guard, in order. */
export function readEgressCases(): EgressCase[] {
  const text = readFileSync(new URL('../vectors/egress-cases.tsv', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('id\t'))
    .map((line) => {
      const [id = '', surface = '', category = '', input = '', meta = '', , note = ''] = line.split('\t');
      return { id, surface, category, input: unescape(input), verdict: meta.split(':')[0] ?? '', note };
    });
}
