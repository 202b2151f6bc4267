import type { MailExchange } from '#email';
import type { DnsAnswer } from './dns/resolver.ts';

/**
 * `public`: an exchange has a public address. `nowhere`: DNS proves that none has one. `unproven`: DNS
 * failed, or there is no exchange to look up, or there are too many.
 */
export type ExchangeReach = 'public' | 'nowhere' | 'unproven';

/** A question about an exchange. The search continues with its answer. */
export interface ExchangeQuestion {
  name: string;
  type: 'A' | 'AAAA';
}

/** The questions of a search, one after the other, and its result. */
export type ExchangeSearch = Generator<ExchangeQuestion, ExchangeReach, DnsAnswer<'A' | 'AAAA'>>;

/**
 * Each costs up to two queries, one after the other. Large operators publish 5 to 7 exchanges, and one of a
 * domain that accepts mail is nearly always the first; the bound limits what a hostile domain can cause.
 */
const MAX_EXCHANGES = 8;

/**
 * Searches `exchanges`, best first, for one with a public address. Asks for A, and for AAAA only if there is
 * no public A. Ends at the first failure of DNS: nothing after it can prove that mail is refused.
 */
export function* searchExchanges(
  exchanges: readonly MailExchange[],
  isPublicAddress: (address: string) => boolean,
): ExchangeSearch {
  for (const { exchange: name } of exchanges.slice(0, MAX_EXCHANGES)) {
    for (const type of ['A', 'AAAA'] as const) {
      const answer = yield { name, type };
      if (answer.outcome === 'failure') return 'unproven';
      if (answer.outcome === 'nxdomain') break;
      if (answer.outcome === 'records' && answer.records.some(isPublicAddress)) return 'public';
    }
  }
  return exchanges.length === 0 || exchanges.length > MAX_EXCHANGES ? 'unproven' : 'nowhere';
}
