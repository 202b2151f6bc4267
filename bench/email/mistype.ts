/** A domain with one typing error. */
export interface Mistyped {
  kind: string;
  typed: string;
  meant: string;
}

const KEY_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const VOWELS = 'aeiou';
const ENDS: Readonly<Record<string, string>> = {
  com: 'con cmo ocm vom xom cim cpm comm coom om cm c0m cok dom com.com',
  net: 'ne nte ent nett bet met et nrt nwt',
};

/** Lists the typing errors of a domain, each once: all those of one key, and slips of the suffix and dot. */
export function listMistyped(meant: string): Mistyped[] {
  const dot = meant.indexOf('.');
  const label = meant.slice(0, dot);
  const suffix = meant.slice(dot + 1);
  const found = new Map<string, string>();
  for (const [kind, words] of Object.entries(mistypeLabel(label))) {
    for (const word of words) found.set(`${word}.${suffix}`, kind);
  }
  for (const end of mistypeSuffix(suffix)) found.set(`${label}.${end}`, 'top-level domain');
  for (const typed of [label + suffix, `${label},${suffix}`, `${label}..${suffix}`]) found.set(typed, 'dot');
  found.delete(meant);
  return Array.from(found, ([typed, kind]) => ({ kind, typed, meant }));
}

function mistypeLabel(label: string): Record<string, string[]> {
  const words: Record<string, string[]> = {};
  const add = (kind: string, word: string) => (words[kind] ??= []).push(word);
  for (let at = 0; at < label.length; at++) {
    const letter = label.charAt(at);
    const before = label.slice(0, at);
    const after = label.slice(at + 1);
    if (label.length > 2) add('missing letter', before + after);
    add('doubled letter', before + letter + letter + after);
    if (at > 0) add('swapped letters', before.slice(0, -1) + letter + before.slice(-1) + after);
    for (const key of listAdjacentKeys(letter)) {
      add('adjacent key', before + key + after);
      add('adjacent key too', before + letter + key + after);
    }
    for (const vowel of VOWELS.includes(letter) ? VOWELS : '') add('other vowel', before + vowel + after);
  }
  return words;
}

function mistypeSuffix(suffix: string): string[] {
  const [first = '', country = ''] = suffix.split('.');
  if (country === '') {
    const swapped = Array.from(suffix).toReversed().join('');
    return ENDS[suffix]?.split(' ') ?? [swapped, suffix + suffix.slice(-1)];
  }
  const other = first === 'co' ? 'com' : 'co';
  return [first + country, `${other}.${country}`, `${first.slice(1)}.${country}`, `${first}.${country}.com`];
}

function listAdjacentKeys(letter: string): string[] {
  const row = KEY_ROWS.findIndex((keys) => keys.includes(letter));
  const at = KEY_ROWS[row]?.indexOf(letter) ?? 0;
  const places: [row: number, at: number][] = [
    [row, at - 1],
    [row, at + 1],
    [row - 1, at],
    [row - 1, at + 1],
    [row + 1, at - 1],
    [row + 1, at],
  ];
  return places.map(([near, place]) => KEY_ROWS[near]?.charAt(place) ?? '').filter((key) => key !== '');
}
