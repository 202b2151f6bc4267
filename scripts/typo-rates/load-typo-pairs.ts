import { readdirSync, readFileSync } from 'node:fs';

/** A domain as typed, and as it was meant. */
export interface TypoPair {
  typed: string;
  meant: string;
}

const SOURCES = new URL('../../test/email/typo-sources/', import.meta.url);

/**
 * Loads the real typos by source: `learned` ones are counted, and of `unseen` ones only the score is taken.
 * The first line of each file names the source.
 */
export function loadTypoPairs(kind: 'learned' | 'unseen'): Map<string, TypoPair[]> {
  const files = readdirSync(SOURCES).filter((name) => name.startsWith(`${kind}-`));
  return new Map(
    files.toSorted().map((name) => {
      const text = readFileSync(new URL(name, SOURCES), 'utf8');
      return [name.slice(kind.length + 1, -'.txt'.length), parseTypoPairs(text)];
    }),
  );
}

/** Parses lines of `meant: typed typed …`. */
export function parseTypoPairs(text: string): TypoPair[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.flatMap((line) => {
    const [meant = '', list = ''] = line.split(': ');
    return list.split(' ').map((typed) => ({ typed, meant }));
  });
}
