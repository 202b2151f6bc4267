import type { DnsAnswer, DnsFailure, DnsResolver } from './resolver.ts';

/** Every address of a name. Whoever connects judges all of them: one that is not public condemns the name. `missing`: why one family did not answer. */
export type AddressFacts =
  | { outcome: 'addresses'; addresses: { address: string; family: 4 | 6 }[]; missing: DnsFailure | null }
  | { outcome: 'none' }
  | { outcome: 'failure'; reason: DnsFailure };

/** Asks for A and AAAA at once. Where one fails and the other answers with addresses, those are the answer; a failure beside nothing stays a failure, for there are servers that deny a name for AAAA alone (RFC 4074 §4.2). */
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
