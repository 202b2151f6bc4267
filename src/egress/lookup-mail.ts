import type { MailExchange, MailFacts } from '#email';
import { DeadlineExceeded, openDeadline } from './concurrency/deadline.ts';
import { lookupAddresses } from './dns/lookup-addresses.ts';
import type { DnsAnswer, DnsResolver } from './dns/resolver.ts';
import { type ExchangeReach, searchExchanges } from './exchange-reach.ts';

/** Runs a lookup that needs a query when there is room for it; rejects if there is none. */
export type HoldLookup = <T>(
  signal: AbortSignal | undefined,
  lookUp: (signal: AbortSignal | undefined) => Promise<T>,
) => Promise<T>;

/**
 * Returns the mail facts of an A-label domain, MX records sorted by priority. Rejects with the signal's
 * reason only. A cached result is returned synchronously, because a promise costs as much as the rest of a
 * cached lookup. `hold` bounds the lookups that need a query.
 */
export type LookupMail = (
  domain: string,
  signal?: AbortSignal,
  hold?: HoldLookup,
) => MailFacts | Promise<MailFacts>;

export interface LookupMailOptions {
  resolver: DnsResolver;
  isPublicAddress: (address: string) => boolean;
  /** Returns false for an exchange that needs no query: a null MX, an address, a reserved name. */
  isUsableExchange: (exchange: string) => boolean;
  /** Time from the start of a lookup to the end of its search for exchanges; default 2,500 ms. */
  searchTimeoutMs?: number;
}

type MxRecords = Extract<DnsAnswer<'MX'>, { outcome: 'records' }>;
type MxFacts = Extract<MailFacts, { outcome: 'mx' }>;

/** The parsed exchanges of an MX answer, with the facts for either result of the search among them. */
interface Exchanges {
  /** Those that a search looks up, best first, each host once. */
  usable: readonly MailExchange[];
  facts: MxFacts;
  unreachableFacts: MxFacts;
}

/** More are useless, and a batch has the list in each of its reports. */
const MAX_EXCHANGES = 256;

class MailLookup {
  readonly #options: Required<LookupMailOptions>;
  /** The facts of each answer. The resolver makes a new one every second, so addresses are checked again. */
  readonly #factsByAnswer = new WeakMap<MxRecords, MxFacts>();
  /** The exchanges of each list of records, as long as the resolver keeps that list. */
  readonly #exchangesByRecords = new WeakMap<MxRecords['records'], Exchanges>();

  constructor(options: LookupMailOptions) {
    this.#options = { searchTimeoutMs: 2500, ...options };
  }

  /** Returns the facts if all answers that they need are cached; null if not. */
  findCached(domain: string): MailFacts | null {
    const answer = this.#options.resolver.findCached(domain, 'MX');
    if (answer?.outcome !== 'records') return answer && toFactsWithoutMx(answer);
    const known = this.#factsByAnswer.get(answer);
    if (known) return known;
    const exchanges = this.#getExchanges(answer);
    const reach = this.#findCachedReach(exchanges);
    return reach && this.#storeFacts(answer, exchanges, reach);
  }

  /**
   * Queries MX, then the addresses of its exchanges, or those of the domain if it exists without MX. A
   * failure of MX is `unknown`, whatever else exists.
   */
  async query(domain: string, signal?: AbortSignal): Promise<MailFacts> {
    const deadline = openDeadline(this.#options.searchTimeoutMs, signal);
    try {
      const answer = await this.#options.resolver.query(domain, 'MX', signal);
      if (answer.outcome !== 'records')
        return toFactsWithoutMx(answer) ?? (await this.#queryImplicit(domain, signal));
      const exchanges = this.#getExchanges(answer);
      return this.#storeFacts(answer, exchanges, await this.#queryReach(exchanges, deadline.signal));
    } finally {
      deadline.close();
    }
  }

  async #queryImplicit(domain: string, signal?: AbortSignal): Promise<MailFacts> {
    const { resolver, isPublicAddress } = this.#options;
    const found = await lookupAddresses(resolver, domain, signal);
    if (found.outcome === 'failure') return { outcome: 'unknown', reason: found.reason };
    if (found.outcome === 'none') return { outcome: 'none', reason: 'nodata' };
    if (found.addresses.some(({ address }) => isPublicAddress(address))) return { outcome: 'address' };
    // The other family might have held a public address.
    if (found.missing) return { outcome: 'unknown', reason: found.missing };
    return { outcome: 'none', reason: 'no_public_address' };
  }

  #findCachedReach({ usable }: Exchanges): ExchangeReach | null {
    const search = searchExchanges(usable, this.#options.isPublicAddress);
    for (let step = search.next(); ;) {
      if (step.done === true) return step.value;
      const answer = this.#options.resolver.findCached(step.value.name, step.value.type);
      if (answer === null) return null;
      step = search.next(answer);
    }
  }

  async #queryReach({ usable }: Exchanges, signal: AbortSignal): Promise<ExchangeReach> {
    const search = searchExchanges(usable, this.#options.isPublicAddress);
    try {
      for (let step = search.next(); ;) {
        if (step.done === true) return step.value;
        step = search.next(await this.#options.resolver.query(step.value.name, step.value.type, signal));
      }
    } catch (error) {
      if (error instanceof DeadlineExceeded) return 'unproven';
      throw error;
    }
  }

  #storeFacts(answer: MxRecords, exchanges: Exchanges, reach: ExchangeReach): MxFacts {
    const facts = reach === 'nowhere' ? exchanges.unreachableFacts : exchanges.facts;
    this.#factsByAnswer.set(answer, facts);
    return facts;
  }

  /** Sorts the exchanges by priority. Callers share the list, so it is frozen and bounded. */
  #getExchanges({ records }: MxRecords): Exchanges {
    let found = this.#exchangesByRecords.get(records);
    if (found === undefined) {
      const sorted = records.toSorted((a, b) => a.priority - b.priority).slice(0, MAX_EXCHANGES);
      const exchanges = Object.freeze(sorted.map((record) => Object.freeze({ ...record })));
      const hosts = new Map(exchanges.map((record) => [record.exchange, record]));
      found = {
        usable: [...hosts.values()].filter(({ exchange }) => this.#options.isUsableExchange(exchange)),
        facts: { outcome: 'mx', exchanges },
        unreachableFacts: { outcome: 'mx', exchanges, unreachable: true },
      };
      this.#exchangesByRecords.set(records, found);
    }
    return found;
  }
}

/** Returns the facts of an answer without records; null if the domain exists without MX. */
function toFactsWithoutMx(answer: Exclude<DnsAnswer<'MX'>, MxRecords>): MailFacts | null {
  if (answer.outcome === 'nxdomain') return { outcome: 'none', reason: 'nxdomain' };
  if (answer.outcome === 'failure') return { outcome: 'unknown', reason: answer.reason };
  return null;
}

/** Creates the function that looks up the mail facts of a domain. */
export function createLookupMail(options: LookupMailOptions): LookupMail {
  const lookup = new MailLookup(options);
  return (domain, signal, hold) => {
    const cached = signal?.aborted ? null : lookup.findCached(domain);
    if (cached) return cached;
    return hold ? hold(signal, (held) => lookup.query(domain, held)) : lookup.query(domain, signal);
  };
}
