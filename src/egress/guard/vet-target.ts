import { isIP } from 'node:net';
import { Refusal, egressOverloaded } from './refusal.ts';
import type { AddressPolicy } from './address-policy.ts';

/** The host and port of a URL, before its name is resolved. */
export interface Target {
  /** Scheme, host and port, as serialized by the URL standard, for the Host header. */
  origin: string;
  isTls: boolean;
  /** An address literal without brackets, or a lower-case A-label name without the trailing dot. */
  host: string;
  isLiteral: boolean;
  port: number;
}

/**
 * Suffixes of names that have a meaning in a local network only and are not resolved: RFC 6761, 6762 (and its
 * appendix G), 7686, 8375, 9476, ICANN's reservation of .internal, the reverse tree, and suffixes of home
 * routers.
 */
const PRIVATE_SUFFIXES = new Set(
  (
    'alt arpa corp domain example fritz home i2p internal intranet invalid lan local localdomain mail onion ' +
    'private test workgroup'
  ).split(' '),
);

/**
 * Reports whether a name is localhost or below it, which means 127.0.0.1 and ::1 without a query (RFC 6761
 * §6.3).
 */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function isDomainName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => label !== '' && label.length <= 63);
}

function isPrivateName(name: string): boolean {
  const lastDot = name.lastIndexOf('.');
  return lastDot === -1 || PRIVATE_SUFFIXES.has(name.slice(lastDot + 1));
}

/**
 * Returns the target of a URL, which the URL standard has normalized (0x7f.1 is 127.0.0.1). Throws Refusal
 * for schemes other than http and https, credentials, and names that can only be private.
 */
export function parseTarget(url: URL): Target {
  const isTls = url.protocol === 'https:';
  if (!isTls && url.protocol !== 'http:') throw new Refusal(`scheme ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new Refusal('credentials in the URL');
  const bare = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const host = bare.endsWith('.') ? bare.slice(0, -1) : bare;
  const isLiteral = isIP(host) !== 0;
  if (!isLiteral && !isLocalhost(host) && (!isDomainName(host) || isPrivateName(host))) {
    throw new Refusal(`name ${host}`, { code: 'GUARD_NAME' });
  }
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  return { origin: url.origin, isTls, host, isLiteral, port };
}

/** An address that the policy permits. */
export interface VettedAddress {
  address: string;
  family: 4 | 6;
}

/** The result of a lookup of both families of a name. */
type AddressAnswer =
  | { outcome: 'addresses'; addresses: VettedAddress[] }
  | { outcome: 'none'; isDenied: boolean }
  | { outcome: 'failure'; reason: string };

export type LookupAddresses = (name: string, signal: AbortSignal) => Promise<AddressAnswer>;

const LOCALHOST: VettedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * One message for two reasons: a port outside the list, at a public address, and a port of the service
 * itself, also in an allowed range. The message must not reveal which of them it is.
 */
function portRefusal(port: number, { ports }: AddressPolicy): Refusal {
  const code = 'GUARD_PORT';
  if (ports === '*') return new Refusal(`port ${port}`, { code });
  return new Refusal(`port ${port}`, {
    code,
    publicFailure: `could not be reached: this service does not fetch port ${port} of this host; of public hosts it fetches ${ports.join(', ')}`,
  });
}

/** Returns the addresses of a target, or the code of why it has none. */
async function findAddresses(
  target: Target,
  lookup: LookupAddresses,
  signal: AbortSignal,
): Promise<VettedAddress[] | string> {
  if (target.isLiteral) return [{ address: target.host, family: target.host.includes(':') ? 6 : 4 }];
  if (isLocalhost(target.host)) return LOCALHOST;
  const answer = await lookup(target.host, signal);
  if (answer.outcome === 'failure' && answer.reason === 'overloaded') throw egressOverloaded();
  if (answer.outcome === 'addresses') return answer.addresses;
  if (answer.outcome === 'failure') return `DNS_${answer.reason}`;
  return answer.isDenied ? 'NXDOMAIN' : 'NODATA';
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
  const found = await findAddresses(target, lookup, signal);
  const addresses = typeof found === 'string' ? [] : found;
  if (addresses.length > 0 && addresses.every(({ address }) => policy.permits(address, target.port))) {
    return addresses;
  }
  if (!isPortOpen) throw portRefusal(target.port, policy);
  const code = typeof found === 'string' ? found : 'GUARD_ADDRESS';
  throw new Refusal(`no permitted address for ${target.host}`, { code });
}
