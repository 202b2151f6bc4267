import type { MailFacts } from '#email';
import { lookupAddresses } from './dns/lookup-addresses.ts';
import type { DnsAnswer, DnsResolver } from './dns/resolver.ts';

/** Runs a lookup that needs a query when there is room for it; rejects if there is none. */
export type HoldLookup = (
  signal: AbortSignal | undefined,
  lookUp: (signal: AbortSignal | undefined) => Promise<MailFacts>,
) => Promise<MailFacts>;

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
}

class MailLookup {
  readonly #resolver: DnsResolver;
  readonly #isPublicAddress: (address: string) => boolean;
  /** The facts of each answer, as long as the resolver keeps that answer. */
  readonly #factsByAnswer = new WeakMap<DnsAnswer<'MX'>, MailFacts>();

  constructor({ resolver, isPublicAddress }: LookupMailOptions) {
    this.#resolver = resolver;
    this.#isPublicAddress = isPublicAddress;
  }

  findCached(domain: string): MailFacts | null {
    const answer = this.#resolver.findCached(domain, 'MX');
    return answer && this.#toFacts(answer);
  }

  /**
   * Queries MX, and addresses only if the domain exists without MX. A failure of MX is `unknown`, whatever
   * else exists.
   */
  async query(domain: string, signal?: AbortSignal): Promise<MailFacts> {
    const facts = this.#toFacts(await this.#resolver.query(domain, 'MX', signal));
    return facts ?? this.#queryImplicit(domain, signal);
  }

  async #queryImplicit(domain: string, signal?: AbortSignal): Promise<MailFacts> {
    const found = await lookupAddresses(this.#resolver, domain, signal);
    if (found.outcome === 'failure') return { outcome: 'unknown', reason: found.reason };
    if (found.outcome === 'none') return { outcome: 'none', reason: 'nodata' };
    if (found.addresses.some(({ address }) => this.#isPublicAddress(address))) return { outcome: 'address' };
    // The other family might have held a public address.
    if (found.missing) return { outcome: 'unknown', reason: found.missing };
    return { outcome: 'none', reason: 'no_public_address' };
  }

  /**
   * Returns the facts of an MX answer; null if the domain exists without MX. Callers share the lists, so they
   * are frozen.
   */
  #toFacts(mx: DnsAnswer<'MX'>): MailFacts | null {
    if (mx.outcome === 'records') {
      let facts = this.#factsByAnswer.get(mx);
      if (facts === undefined) {
        const exchanges = mx.records
          .toSorted((a, b) => a.priority - b.priority)
          .map((record) => Object.freeze({ ...record }));
        facts = { outcome: 'mx', exchanges: Object.freeze(exchanges) };
        this.#factsByAnswer.set(mx, facts);
      }
      return facts;
    }
    if (mx.outcome === 'nxdomain') return { outcome: 'none', reason: 'nxdomain' };
    if (mx.outcome === 'failure') return { outcome: 'unknown', reason: mx.reason };
    return null;
  }
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
