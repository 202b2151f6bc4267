import type { DnsAnswer, DnsFailure, DnsResolver } from './resolver.ts';

/**
 * Every address of a name, public or not. `missing`: why one of the two families is absent.
 * A caller that connects must check all of them: one that is not permitted refuses the whole name.
 */
export type AddressFacts =
  | { outcome: 'addresses'; addresses: { address: string; family: 4 | 6 }[]; missing: DnsFailure | null }
  | { outcome: 'none' }
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
  const [v4, v6] = await Promise.all([
    resolver.query(name, 'A', signal),
    resolver.query(name, 'AAAA', signal),
  ]);
  const addresses = [...tagAddresses(v4, 4), ...tagAddresses(v6, 6)];
  const failed = [v4, v6].find((answer) => answer.outcome === 'failure');
  if (addresses.length > 0) return { outcome: 'addresses', addresses, missing: failed?.reason ?? null };
  return failed ?? { outcome: 'none' };
}

function tagAddresses<Family extends 4 | 6>(
  answer: DnsAnswer<'A' | 'AAAA'>,
  family: Family,
): { address: string; family: Family }[] {
  return answer.outcome === 'records' ? answer.records.map((address) => ({ address, family })) : [];
}
