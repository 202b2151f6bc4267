import { computeEditCost } from './edit-cost.ts';

/** Generic ends that are worth guessing, with a handicap in hundredths of an edit for the rarer ones. */
const ENDS: readonly [string, number][] = [
  ['com', 0],
  ['net', 10],
  ['org', 10],
  ['edu', 20],
  ['gov', 30],
  ['info', 30],
];
/** The countries with the most registered domains, but for those one letter away from another end. */
const COUNTRIES = new Set(
  'at au be br ca ch cn cz de dk es eu fi fr hu ie in it jp kr mx nl no nz pl pt ro ru se sk tr ua uk us za'.split(
    ' ',
  ),
);
const MAX_COST = 100;
const CLEAR_MARGIN = 15;
/** Two-level ends whose dot is forgotten. */
const GLUED = /^(co|org|ac|gov|me|com|net)(uk|nz|za|jp|kr|il|au|br|mx|ar|tr|tw|hk|sg|my)$/;
const BROKEN_UK = /^(co|org|ac)\.(?:[a-z]?[uk]|ku|yk|ik|uj|ul|ui|um|uo|jk|hk)$/;

/**
 * The end that was meant by one that does not exist: `con` → `com`, `couk` → `co.uk`, `nte` → `net`; null where no one is clearly nearest.
 * `rest` is the label before it, for ends of two labels.
 */
export function repairTopLevel(typed: string, rest: string): string | null {
  const glued = GLUED.exec(typed);
  if (glued !== null) return `${glued[1]}.${glued[2]}`;
  if (BROKEN_UK.test(`${rest}.${typed}`)) return 'uk';
  if (typed === 'comcom') return 'com';
  if (typed.length < 2 || typed.length > 5) return null;
  const country = readStammered(typed);
  if (country !== null) return country;
  let best: string | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  let second = Number.POSITIVE_INFINITY;
  for (const [end, handicap] of ENDS) {
    const cost = computeEditCost(typed, end, MAX_COST);
    if (cost > MAX_COST) continue;
    const ranked = cost + handicap;
    if (ranked < lowest) {
      second = lowest;
      lowest = ranked;
      best = end;
    } else if (ranked < second) second = ranked;
  }
  return second - lowest >= CLEAR_MARGIN ? best : null;
}

/** `.dee`, `.iit`: a country's end with one of its letters struck twice. */
function readStammered(typed: string): string | null {
  if (typed.length !== 3) return null;
  const [first, second, third] = typed;
  const country = first === second ? typed.slice(1) : second === third ? typed.slice(0, 2) : '';
  return COUNTRIES.has(country) ? country : null;
}

const TWICE = /^(.+\.(com|net|org))\.\2$/;
const BROKEN_COM = /^([^.]+)\.(?:con|cmo|ocm|vom|xom|cim|cpm|comm|coom)\.([a-z]{2})$/;
/** Countries whose firms register under `.com` and the country. */
const COM_COUNTRIES = new Set(
  'ar au bd bo br cn co cy do ec eg gh gr gt hk hn kw lb lk mt mx my ng ni np pa pe ph pk py qa sa sg sv tr tw ua uy ve vn'.split(
    ' ',
  ),
);

/**
 * The domain that was meant by one whose end exists but is not meant: `acme.com.com`, `acme.con.br`; null where there is nothing wrong. */
export function repairSecondLevel(domain: string): string | null {
  const twice = TWICE.exec(domain);
  if (twice !== null) return twice[1] as string;
  const broken = BROKEN_COM.exec(domain);
  return broken !== null && COM_COUNTRIES.has(broken[2] as string) ? `${broken[1]}.com.${broken[2]}` : null;
}
