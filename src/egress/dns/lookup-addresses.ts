import { isIPv6 } from 'node:net';
import type { DnsFailure, DnsResolver } from './resolver.ts';

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
  const answers = await Promise.all([
    resolver.query(name, 'A', signal),
    resolver.query(name, 'AAAA', signal),
  ]);
  const addresses = answers
    .flatMap((answer) => (answer.outcome === 'records' ? answer.records : []))
    .map((address) => ({ address, family: isIPv6(address) ? (6 as const) : (4 as const) }));
  const failed = answers.find((answer) => answer.outcome === 'failure');
  if (addresses.length > 0) return { outcome: 'addresses', addresses, missing: failed?.reason ?? null };
  return failed ?? { outcome: 'none' };
}
