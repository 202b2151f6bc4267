/**
 * npm run lists -- rates: counts the errors of the real typos in `test/email/typo-sources/learned-*` and
 * prints them by source. `--write` stores the counts in `src/email/suggest/typo-rates.json`. The sources
 * `unseen-*` are
 * not read. The same sources give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { countErrors } from './typo-rates/count-errors.ts';
import { formatRates } from './typo-rates/format-rates.ts';
import { REAL_DOMAIN_PACKAGES } from './real-domains/real-domain-packages.ts';
import { loadRealDomains } from './real-domains/load-real-domains.ts';
import { countLetterPairs } from './typo-rates/count-letter-pairs.ts';
import { loadTypoPairs, type TypoPair } from './typo-rates/load-typo-pairs.ts';

const FILE = new URL('../src/email/suggest/typo-rates.json', import.meta.url);

const sources = loadTypoPairs('learned');
for (const [name, pairs] of sources) {
  const { errors, left } = countErrors(pairs);
  console.log(
    `${name}: ${pairs.length} typos, ${errors[0]} with one error, ${errors[1]} with two, ${left.length} not explained`,
  );
}
const counts = countErrors([...sources.values()].flat());
const text = formatRates(counts, countLetterPairs(listNames()));
console.log(text);
console.log(`not explained: ${counts.left.map(({ typed }: TypoPair) => typed).join(' ')}`);
if (process.argv.includes('--write')) writeFileSync(FILE, text);

/** Lists the first labels of real domains whose statistics a release may contain. */
function listNames(): string[] {
  const permissive = new Set(
    REAL_DOMAIN_PACKAGES.filter((item) => item.isPermissive).map(({ spec }) => spec),
  );
  const domains = Array.from(loadRealDomains()).filter(([, specs]) =>
    specs.some((spec) => permissive.has(spec)),
  );
  return domains.map(([domain]) => domain.slice(0, domain.indexOf('.')));
}
