import { DeadlineExceeded, openDeadline } from '#concurrency';
import { isIPv6 } from 'node:net';
import type { MailExchange, MailFacts, TxtFacts } from '#email';
import type { DnsAnswer, DnsFailure, DnsResolver } from './dns/resolver.ts';

/** Runs a lookup that needs a query, as soon as there is room for it. Rejects if there is no room in time. */
export type HoldLookup = <T>(
  signal: AbortSignal | undefined,
  lookUp: (signal: AbortSignal | undefined) => Promise<T>,
) => Promise<T>;

/**
 * Returns the mail facts of an A-label domain, MX records sorted by priority. Rejects with the signal's
 * reason only. A cached result is returned synchronously, because a promise costs as much as the rest of a
 * cached lookup. `hold` bounds the lookups that need a query, and `timeoutMs` their time once they start.
 */
type LookupMail = (
  domain: string,
  signal?: AbortSignal,
  timeoutMs?: number,
  hold?: HoldLookup,
) => Promise<MailFacts>;

interface LookupMailOptions {
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
  /** The exchanges that a search looks up, best first, each host once. */
  usable: readonly MailExchange[];
  facts: MxFacts;
  unreachableFacts: MxFacts;
}

/** More exchanges are useless, and each report of a batch contains the list. */
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
   * Queries MX, then the addresses of its exchanges, or the addresses of the domain if it exists without MX.
   * A failure of MX is `unknown`, whatever else exists.
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
  return async (domain, signal, timeoutMs, hold = startAtOnce) => {
    const cached = signal?.aborted ? null : lookup.findCached(domain);
    if (cached) return cached;
    return hold(signal, (held) => queryInTime((ends) => lookup.query(domain, ends), timeoutMs, held));
  };
}

const startAtOnce: HoldLookup = (signal, lookUp) => lookUp(signal);

/** Queries within `timeoutMs`: what has no answer by then is unknown. */
async function queryInTime<T>(
  query: (signal: AbortSignal | undefined) => Promise<T>,
  timeoutMs: number | undefined,
  outer: AbortSignal | undefined,
): Promise<T | { outcome: 'unknown'; reason: 'timeout' }> {
  if (timeoutMs === undefined) return query(outer);
  const deadline = openDeadline(timeoutMs, outer);
  try {
    return await query(deadline.signal);
  } catch (error) {
    if (!(error instanceof DeadlineExceeded) || outer?.aborted) throw error;
    return { outcome: 'unknown', reason: 'timeout' };
  } finally {
    deadline.close();
  }
}

/**
 * `public`: an exchange has a public address. `nowhere`: DNS proves that none has one. `unproven`: DNS
 * failed, or there is no exchange to look up, or there are too many.
 */
type ExchangeReach = 'public' | 'nowhere' | 'unproven';

/** A question about an exchange. The search continues with its answer. */
interface ExchangeQuestion {
  name: string;
  type: 'A' | 'AAAA';
}

/** The questions of a search, one after the other, and its result. */
type ExchangeSearch = Generator<ExchangeQuestion, ExchangeReach, DnsAnswer<'A' | 'AAAA'>>;

/**
 * The exchanges that one search looks up; each costs up to two queries, one after the other. Large operators
 * publish 5 to 7 exchanges, and of a domain that accepts mail the first one nearly always has a public
 * address. The bound limits the queries that a hostile domain can cause.
 */
const MAX_REACHED_EXCHANGES = 8;

/**
 * Searches `exchanges`, best first, for one with a public address. Asks for A, and for AAAA only if there is
 * no public A. Ends at the first failure of DNS: nothing after it can prove that mail is refused.
 */
function* searchExchanges(
  exchanges: readonly MailExchange[],
  isPublicAddress: (address: string) => boolean,
): ExchangeSearch {
  for (const { exchange: name } of exchanges.slice(0, MAX_REACHED_EXCHANGES)) {
    for (const type of ['A', 'AAAA'] as const) {
      const answer = yield { name, type };
      if (answer.outcome === 'failure') return 'unproven';
      if (answer.outcome === 'nxdomain') break;
      if (answer.outcome === 'records' && answer.records.some(isPublicAddress)) return 'public';
    }
  }
  return exchanges.length === 0 || exchanges.length > MAX_REACHED_EXCHANGES ? 'unproven' : 'nowhere';
}

/**
 * Returns the TXT records of an A-label name. Rejects with the signal's reason only. `hold` and `timeoutMs`
 * are as for LookupMail.
 */
type LookupTxt = (
  name: string,
  signal?: AbortSignal,
  timeoutMs?: number,
  hold?: HoldLookup,
) => Promise<TxtFacts>;

/** Creates the function that looks up TXT records. */
export function createLookupTxt(resolver: DnsResolver): LookupTxt {
  const query = async (name: string, signal?: AbortSignal): Promise<TxtFacts> =>
    toFacts(await resolver.query(name, 'TXT', signal));
  return async (name, signal, timeoutMs, hold = startAtOnce) => {
    const cached = signal?.aborted ? null : resolver.findCached(name, 'TXT');
    if (cached) return toFacts(cached);
    return hold(signal, (held) => queryInTime((ends) => query(name, ends), timeoutMs, held));
  };
}

function toFacts(answer: DnsAnswer<'TXT'>): TxtFacts {
  if (answer.outcome === 'records') return { outcome: 'records', texts: answer.records };
  if (answer.outcome === 'failure') return { outcome: 'unknown', reason: answer.reason };
  return { outcome: 'none' };
}

/**
 * Every address of a name, public or not. `missing`: why one of the two families is absent. A caller that
 * connects must check all of them: one that is not permitted refuses the whole name.
 */
type AddressFacts =
  | { outcome: 'addresses'; addresses: { address: string; family: 4 | 6 }[]; missing: DnsFailure | null }
  | { outcome: 'none'; isDenied: boolean }
  | { outcome: 'failure'; reason: DnsFailure };

/**
 * Queries A and AAAA in parallel. If one fails and the other has addresses, those are the result. If one
 * fails and the other has none, the result is a failure: some servers deny a name for AAAA alone (RFC 4074
 * §4.2).
 */
export async function lookupAddresses(
  resolver: DnsResolver,
  name: string,
  signal?: AbortSignal,
): Promise<AddressFacts> {
  const answers = await Promise.all([
    resolver.query(name, 'A', signal),
    resolver.query(name, 'AAAA', signal),
  ]);
  const addresses = answers
    .flatMap((answer) => (answer.outcome === 'records' ? answer.records : []))
    .map((address) => ({ address, family: isIPv6(address) ? (6 as const) : (4 as const) }));
  const failed = answers.find((answer) => answer.outcome === 'failure');
  if (addresses.length > 0) return { outcome: 'addresses', addresses, missing: failed?.reason ?? null };
  const isDenied = answers.some(({ outcome }) => outcome === 'nxdomain');
  return failed ?? { outcome: 'none', isDenied };
}
