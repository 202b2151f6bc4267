import type { TxtFacts } from '#email';
import type { DnsAnswer, DnsResolver } from './dns/resolver.ts';
import type { HoldLookup } from './lookup-mail.ts';

/**
 * Returns the TXT records of an A-label name, synchronously if they are cached. Rejects with the signal's
 * reason only. `hold` bounds the lookups that need a query.
 */
export type LookupTxt = (
  name: string,
  signal?: AbortSignal,
  hold?: HoldLookup,
) => TxtFacts | Promise<TxtFacts>;

/** Creates the function that looks up TXT records. */
export function createLookupTxt(resolver: DnsResolver): LookupTxt {
  const query = async (name: string, signal?: AbortSignal): Promise<TxtFacts> =>
    toFacts(await resolver.query(name, 'TXT', signal));
  return (name, signal, hold) => {
    const cached = signal?.aborted ? null : resolver.findCached(name, 'TXT');
    if (cached) return toFacts(cached);
    return hold ? hold(signal, (held) => query(name, held)) : query(name, signal);
  };
}

function toFacts(answer: DnsAnswer<'TXT'>): TxtFacts {
  if (answer.outcome === 'records') return { outcome: 'records', texts: answer.records };
  if (answer.outcome === 'failure') return { outcome: 'unknown', reason: answer.reason };
  return { outcome: 'none' };
}
