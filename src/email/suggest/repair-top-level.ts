import { computeTypoCost, prepareWord } from './edit-cost.ts';
import { COMMON_TOP_LEVELS } from './rules.ts';

/**
 * The countries with the most registered domains, except those one letter away from another top-level domain.
 */
const COUNTRIES = new Set(
  'at au be br ca ch cn cz de dk es eu fi fr hu ie in it jp kr mx nl no nz pl pt ro ru se sk tr ua uk us za'.split(
    ' ',
  ),
);
const MIN_LENGTH = 2;
const MAX_LENGTH = 5;
/** The cost of one error, of any kind. */
const MAX_COST = 900;
/** Two labels without the dot between them: `couk`. */
const GLUED = /^(co|org|ac|gov|me|com|net)(uk|nz|za|jp|kr|il|au|br|mx|ar|tr|tw|hk|sg|my)$/;
const BROKEN_UK = /^(co|org|ac)\.(?:[a-z]?[uk]|ku|yk|ik|uj|ul|ui|um|uo|jk|hk)$/;

/**
 * Corrects a top-level domain that does not exist; null if none is near. `before` is the label before it.
 *
 * | rule | example |
 * |---|---|
 * | missing dot | `couk` → `co.uk` |
 * | error in `uk` | `co.ul` → `uk` |
 * | doubled | `comcom` → `com` |
 * | doubled letter of a country | `dee` → `de` |
 * | lowest cost of `COMMON_TOP_LEVELS` | `nte` → `net` |
 */
export function repairTopLevel(typed: string, before: string): string | null {
  const glued = GLUED.exec(typed);
  if (glued !== null) return `${glued[1]}.${glued[2]}`;
  if (BROKEN_UK.test(`${before}.${typed}`)) return 'uk';
  if (typed === 'comcom') return 'com';
  if (typed.length < MIN_LENGTH || typed.length > MAX_LENGTH || isSwappedCountry(typed)) return null;
  // A single letter before it may have lost its dot's place: `w.ppl` is `wp.pl`.
  const country = before.length > 1 ? findDoubledLetterCountry(typed) : null;
  return country ?? findCommonTopLevel(typed);
}

/** Finds the country that is typed with one of its letters twice: `dee` → `de`, `iit` → `it`. */
function findDoubledLetterCountry(typed: string): string | null {
  if (typed.length !== 3) return null;
  const [first, second, third] = typed;
  const country = first === second ? typed.slice(1) : second === third ? typed.slice(0, 2) : '';
  return COUNTRIES.has(country) ? country : null;
}

/** True for the letters of a country the other way round: `ed` is as near to `de` as to `edu`. */
function isSwappedCountry(typed: string): boolean {
  return typed.length === 2 && COUNTRIES.has(`${typed[1]}${typed[0]}`);
}

function findCommonTopLevel(typed: string): string | null {
  let best: string | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  const word = prepareWord(typed, true);
  for (const [name, rarityCost] of COMMON_TOP_LEVELS) {
    const cost = computeTypoCost(word, prepareWord(name, true), MAX_COST);
    if (cost > MAX_COST || cost + rarityCost >= lowest) continue;
    lowest = cost + rarityCost;
    best = name;
  }
  return best;
}

const REPEATED = /^(.+\.(com|net|org))\.\2$/;
const BROKEN_COM = /^([^.]+)\.(?:con|cmo|ocm|vom|xom|cim|cpm|comm|coom)\.([a-z]{2})$/;
/** Countries that register below `.com`. */
const COM_COUNTRIES = new Set(
  'ar au bd bo br cn co cy do ec eg gh gr gt hk hn kw lb lk mt mx my ng ni np pa pe ph pk py qa sa sg sv tr tw ua uy ve vn'.split(
    ' ',
  ),
);

/**
 * Corrects a suffix of two labels under a real top-level domain: `acme.com.com`, `acme.con.br`; null without
 * an error.
 */
export function repairSecondLevel(domain: string): string | null {
  const repeated = REPEATED.exec(domain);
  if (repeated !== null) return repeated[1] as string;
  const broken = BROKEN_COM.exec(domain);
  return broken !== null && COM_COUNTRIES.has(broken[2] as string) ? `${broken[1]}.com.${broken[2]}` : null;
}
