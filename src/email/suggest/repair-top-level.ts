import { computeTypoCost, prepareWord, type PreparedWord } from './edit-cost.ts';

/** The suffixes that one that does not exist is corrected to, by the cost of their rarity. */
const REPAIRS = prepareAll({
  0: 'com',
  150: 'net org',
  300: 'edu gov info',
  350: 'co.uk org.uk ac.uk me.uk com.au com.br com.mx com.ar com.tr com.tw com.hk com.sg com.my co.nz co.za co.jp co.kr co.il',
});
/** The countries with the most registered domains: only a doubled letter is corrected to them. */
const COUNTRIES =
  /^(?:a[tu]|b[er]|c[ahnz]|d[ek]|e[su]|f[ir]|h[u]|i[ent]|jp|kr|mx|n[loz]|p[lt]|r[ou]|s[ek]|tr|u[aks]|za)$/;
const BELOW_CO = prepareAll({ 0: 'uk', 200: 'nz za jp kr il' });
const MIN_LENGTH = 2;
const MAX_LENGTH = 6;
/** The cost of one error, of any kind. */
const MAX_COST = 1200;
/** The probability from which a repair is accepted. */
const ACCEPT_FROM = 0.6;

type Repairs = readonly (readonly [word: PreparedWord, cost: number])[];

function prepareAll(byCost: Record<number, string>): Repairs {
  return Object.entries(byCost).flatMap(([cost, names]) =>
    names.split(' ').map((name) => [prepareWord(name, false, true), Number(cost)] as const),
  );
}

/**
 * Corrects a top-level domain that does not exist, with one error or without its dot: `nte`, `dee`, `couk`,
 * `ul` after `co`; null if none is near, or several. `before` is the label before it.
 */
export function repairTopLevel(typed: string, before: string): string | null {
  if (typed === 'comcom') return 'com';
  if (typed.length < MIN_LENGTH || typed.length > MAX_LENGTH) return null;
  const word = prepareWord(typed, true, true);
  // A single letter before it may have lost its dot's place: `w.ppl` is `wp.pl`.
  const [, start = '', letter, end = ''] = (before.length > 1 && /^(.)?(.)\2(.)?$/.exec(typed)) || [];
  if (COUNTRIES.test(`${start}${letter}${end}`)) return `${start}${letter}${end}`;
  const isBelowCo = /^(?:co|org|ac)$/.test(before);
  // The letters of a country the other way round: `ed` is as near to `de` as to `edu`.
  if (!isBelowCo && COUNTRIES.test(typed.slice(1) + typed.slice(0, 1))) return null;
  let best: string | null = null;
  let lowest = MAX_COST;
  let all = 0;
  for (const [meant, rarity] of isBelowCo ? BELOW_CO : REPAIRS) {
    const cost = computeTypoCost(word, meant, MAX_COST) + rarity;
    all += Math.exp(-cost / 100);
    if (cost >= lowest) continue;
    lowest = cost;
    best = meant.word;
  }
  return Math.exp(-lowest / 100) >= ACCEPT_FROM * all ? best : null;
}

const REPEATED = /^(.+\.(com|net|org))\.\2$/;
const BROKEN_COM = /^([^.]+)\.(?:con|cmo|ocm|vom|xom|cim|cpm|comm|coom)\.([a-z]{2})$/;
/** Countries that register below `.com`. */
const COM_COUNTRIES =
  /^(?:a[ru]|b[dnor]|c[noy]|do|e[cg]|g[hrt]|h[knt]|kw|l[bk]|m[txy]|n[gip]|p[aehky]|qa|s[agv]|t[rw]|u[ay]|v[en])$/;

/**
 * Corrects a suffix of two labels under a real top-level domain: `acme.com.com`, `acme.con.br`; null without
 * an error.
 */
export function repairSecondLevel(domain: string): string | null {
  const repeated = REPEATED.exec(domain);
  if (repeated !== null) return repeated[1] as string;
  const [, name, country = ''] = BROKEN_COM.exec(domain) ?? [];
  return COM_COUNTRIES.test(country) ? `${name}.com.${country}` : null;
}
