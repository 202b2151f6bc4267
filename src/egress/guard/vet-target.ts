import type { AddressPolicy } from './address-policy.ts';
import { egressOverloaded, Refusal } from './refusal.ts';
import { isLocalhost, type Target } from './target.ts';

/** An address that the policy permits. */
export interface VettedAddress {
  address: string;
  family: 4 | 6;
}

/** The result of a lookup of both families of a name. */
export type AddressAnswer =
  | { outcome: 'addresses'; addresses: VettedAddress[] }
  | { outcome: 'none' }
  | { outcome: 'failure'; reason: string };

export type LookupAddresses = (name: string, signal: AbortSignal) => Promise<AddressAnswer>;

const LOCALHOST: VettedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * One message for all: a port outside the list is refused at public addresses, a port of the service itself
 * in an allowed range too, and which of both it is must not show.
 */
function portRefusal(port: number, { ports }: AddressPolicy): Refusal {
  if (ports === '*') return new Refusal(`port ${port}`);
  return new Refusal(`port ${port}`, {
    publicFailure: `could not be reached: this service does not fetch port ${port} of this host; of public hosts it fetches ${ports.join(', ')}`,
  });
}

async function findAddresses(
  target: Target,
  lookup: LookupAddresses,
  signal: AbortSignal,
): Promise<VettedAddress[]> {
  if (target.isLiteral) return [{ address: target.host, family: target.host.includes(':') ? 6 : 4 }];
  if (isLocalhost(target.host)) return LOCALHOST;
  const answer = await lookup(target.host, signal);
  if (answer.outcome === 'failure' && answer.reason === 'overloaded') throw egressOverloaded();
  return answer.outcome === 'addresses' ? answer.addresses : [];
}

/**
 * Resolves a target once and returns the addresses that may be dialed. One address that is not permitted
 * refuses the whole name, so that a mixed answer cannot direct the connection. A port outside the list has
 * the same error for every address, so that it reveals nothing about one. Throws Refusal, and ApiError
 * `overloaded` if the resolver is.
 */
export async function vetTarget(
  target: Target,
  policy: AddressPolicy,
  lookup: LookupAddresses,
  signal: AbortSignal,
): Promise<VettedAddress[]> {
  const isPortOpen = policy.permitsPort(target.port);
  if (!isPortOpen && !policy.hasAllowedRanges) throw portRefusal(target.port, policy);
  const addresses = await findAddresses(target, lookup, signal);
  if (addresses.length > 0 && addresses.every(({ address }) => policy.permits(address, target.port))) {
    return addresses;
  }
  if (!isPortOpen) throw portRefusal(target.port, policy);
  throw new Refusal(`no permitted address for ${target.host}`);
}
