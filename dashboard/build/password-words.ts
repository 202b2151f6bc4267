/**
 * Adds the words of the password meter to the build: `import … from 'virtual:password-words'`. The packages
 * have 2 MB of words; the most frequent ones are enough to tell a weak password.
 */
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english, translations } from '@zxcvbn-ts/language-en';
import type { Plugin } from 'vite';

const NAME = 'virtual:password-words';
const RESOLVED = `\0${NAME}`;

/** The words kept of each list, from its most frequent one. */
const KEPT = { passwords: 10_000, words: 10_000, firstNames: 2000, lastNames: 2000 };

/** Returns the Vite plugin. */
export function passwordWords(): Plugin {
  return {
    name: 'password-words',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load: (id) => (id === RESOLVED ? formatModule() : null),
  };
}

function formatModule(): string {
  const lists = {
    passwords: common['passwords-common'].slice(0, KEPT.passwords),
    words: english['commonWords-en'].slice(0, KEPT.words),
    firstNames: english['firstnames-en'].slice(0, KEPT.firstNames),
    lastNames: english['lastnames-en'].slice(0, KEPT.lastNames),
  };
  const entries = Object.entries(lists).map(([name, words]) => {
    // No word has a space: one text is smaller and faster to parse than an array.
    const text = words.filter((word) => !word.includes(' ')).join(' ');
    return `${JSON.stringify(name)}: ${JSON.stringify(text)}.split(' ')`;
  });
  const graphs = JSON.stringify({ qwerty: adjacencyGraphs.qwerty, keypad: adjacencyGraphs.keypad });
  return `export const dictionary = { ${entries.join(',\n')} };
export const graphs = ${graphs};
export const translations = ${JSON.stringify(translations)};
`;
}
