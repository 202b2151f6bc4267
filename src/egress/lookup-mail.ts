import { lookupAddresses } from './dns/lookup-addresses.ts';
import type { DnsAnswer, DnsFailure, DnsResolver } from './dns/resolver.ts';

/** What DNS says about mail for a domain. `address`: no MX, but a public A or AAAA (RFC 5321 §5.1). `unknown`: nobody could tell. */
export type MailFacts =
  | { outcome: 'mx'; exchanges: readonly { readonly exchange: string; readonly priority: number }[] }
  | { outcome: 'address' }
  | { outcome: 'none'; reason: 'nxdomain' | 'nodata' | 'no_public_address' }
  | { outcome: 'unknown'; reason: DnsFailure };

/** Runs a lookup that DNS must answer when there is room for it; rejects instead when there is none. */
export type HoldLookup = (
  signal: AbortSignal | undefined,
  lookUp: (signal: AbortSignal | undefined) => Promise<MailFacts>,
) => Promise<MailFacts>;

export interface LookupMailOptions {
  resolver: DnsResolver;
  isPublicAddress: (address: string) => boolean;
}

/**
 * Gives the function that asks DNS about an A-label domain. MX records are given as they are, sorted by priority; addresses are asked for
 * only where the domain exists without any. Trouble with MX stays `unknown` whatever else is there. Rejects only with the signal's reason.
 * Answers at once what the resolver knows: a promise costs as much as all the rest of a cached lookup. `hold` bounds the others.
 */
export function createLookupMail({
  resolver,
  isPublicAddress,
}: LookupMailOptions): (
  domain: string,
  signal?: AbortSignal,
  hold?: HoldLookup,
) => MailFacts | Promise<MailFacts> {
  async function lookupImplicit(domain: string, signal?: AbortSignal): Promise<MailFacts> {
    const found = await lookupAddresses(resolver, domain, signal);
    if (found.outcome === 'failure') return { outcome: 'unknown', reason: found.reason };
    if (found.outcome === 'none') return { outcome: 'none', reason: 'nodata' };
    if (found.addresses.some(({ address }) => isPublicAddress(address))) return { outcome: 'address' };
    // The other family might have held a public one.
    if (found.missing) return { outcome: 'unknown', reason: found.missing };
    return { outcome: 'none', reason: 'no_public_address' };
  }

  async function ask(domain: string, signal?: AbortSignal): Promise<MailFacts> {
    const facts = readMail(await resolver.query(domain, 'MX', signal));
    return facts ?? lookupImplicit(domain, signal);
  }

  return (domain, signal, hold) => {
    const recalled = signal?.aborted ? null : resolver.recall(domain, 'MX');
    const known = recalled && readMail(recalled);
    if (known) return known;
    return hold ? hold(signal, (held) => ask(domain, held)) : ask(domain, signal);
  };
}

/** What was read from an answer, as long as the resolver gives that same answer. */
const remembered = new WeakMap<DnsAnswer<'MX'>, MailFacts>();

/** What an answer about MX says; null where the domain exists without any. The lists are frozen: all who ask share them. */
function readMail(mx: DnsAnswer<'MX'>): MailFacts | null {
  if (mx.outcome === 'records') {
    let facts = remembered.get(mx);
    if (facts === undefined) {
      const exchanges = mx.records
        .toSorted((a, b) => a.priority - b.priority)
        .map((record) => Object.freeze({ ...record }));
      facts = { outcome: 'mx', exchanges: Object.freeze(exchanges) };
      remembered.set(mx, facts);
    }
    return facts;
  }
  if (mx.outcome === 'nxdomain') return { outcome: 'none', reason: 'nxdomain' };
  if (mx.outcome === 'failure') return { outcome: 'unknown', reason: mx.reason };
  return null;
}
