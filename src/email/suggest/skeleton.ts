/**
 * Letters of other scripts and the Latin letters that they look like (a subset of the confusables of UTS
 * #39).
 */
const CONFUSABLES = new Map<string, string>();
for (const [latin, others] of Object.entries({
  a: 'аαɑ',
  b: 'Ьƅ',
  c: 'сϲᴄ',
  d: 'ԁɗ',
  e: 'еҽєε',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıιɩ',
  j: 'ј',
  k: 'κкĸ',
  l: 'ӏłǀ',
  m: 'м',
  n: 'пո',
  o: 'оοօσøо',
  p: 'рρ',
  q: 'ԛ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  u: 'υսц',
  v: 'ѵν',
  w: 'ԝшω',
  x: 'хχ',
  y: 'уγү',
  z: 'ᴢ',
})) {
  for (const other of others) CONFUSABLES.set(other, latin);
}

const MARKS = /\p{M}+/gu;

/**
 * Finds the ASCII text that a domain looks like without its accents; null if a character looks like no ASCII
 * one.
 */
export function findSkeleton(domain: string): string | null {
  let skeleton = '';
  for (const char of domain.normalize('NFKD').replace(MARKS, '')) {
    const latin = char < '\u0080' ? char : CONFUSABLES.get(char);
    if (latin === undefined) return null;
    skeleton += latin;
  }
  return skeleton;
}
