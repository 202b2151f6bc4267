import { cidr, isInCidr, type Cidr } from './cidr.ts';
import type { InterfaceAddresses } from './interface-addresses.ts';
import { isSameAddress, parseIpAddress, type IpAddress } from './ip-address.ts';
import { findIsatapIpv4, isPublicIp } from './public-address.ts';

export { parseCidr, type Cidr } from './cidr.ts';
export { isPublicAddress } from './public-address.ts';

/** A socket that callers must never reach: a listener of this service, its database, its Redis. `address` may be a wildcard (0.0.0.0, ::) or a host name. */
export interface Endpoint {
  address: string;
  port: number;
}

export interface AddressPolicyOptions {
  /** Blocks that the operator opened, with all their ports. */
  allowCidrs: readonly Cidr[];
  /** Blocks that the operator closed; they win over everything. */
  denyCidrs: readonly Cidr[];
  /** Ports of public addresses that may be connected to; `*` for all. */
  ports: readonly number[] | '*';
  /** Asked at each decision, so that listeners may come and go. */
  denyEndpoints: () => readonly Endpoint[];
}

/** Decides where a socket may go, on the address that it will use. */
export interface AddressPolicy {
  /** Whether a socket may be connected to this address (a literal) and port. */
  permits(address: string, port: number): boolean;
  /** Whether a port is open on public addresses. */
  permitsPort(port: number): boolean;
  /** Whether the operator opened any range, so that a port outside the list can still be right. */
  readonly hasOpenedRanges: boolean;
  /** The ports open on public addresses, for messages. */
  readonly ports: readonly number[] | '*';
}

const isUnspecified = ({ bytes }: IpAddress) => bytes.every((byte) => byte === 0);
const isLoopback = ({ family, bytes }: IpAddress) =>
  family === 4 ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));

/** RFC 6052: a gateway sends what goes to such an address on to the IPv4 address in its last four bytes. */
const NAT64 = cidr('64:ff9b::/96');

function findNat64Ipv4(address: IpAddress): IpAddress | null {
  return isInCidr(address, NAT64) ? { family: 4, bytes: address.bytes.subarray(12), mapped: false } : null;
}

const isInAny = (address: IpAddress, blocks: readonly Cidr[]) =>
  blocks.some((block) => isInCidr(address, block));

/** Whether a connection to `target` can arrive at a listener on `endpoint` (both already on the same port). */
function reaches(target: IpAddress, endpoint: string, interfaces: InterfaceAddresses): boolean {
  const listener = parseIpAddress(endpoint);
  // A name is whatever the machine's resolver says: it stands for every address that is not public.
  if (listener === null) return !isPublicIp(target);
  if (isSameAddress(target, listener)) return true;
  // Connecting to the unspecified address reaches loopback, and a wildcard listener everything local.
  if (isUnspecified(target)) return true;
  if (!isUnspecified(listener)) return false;
  return isLoopback(target) || interfaces.has(target);
}

/**
 * The rule for every connection: public addresses on the given ports, except those of this machine's own interfaces; the operator's
 * opened ranges on any port; never the service's own sockets nor a range that the operator closed.
 */
export function createAddressPolicy(
  options: AddressPolicyOptions,
  interfaces: InterfaceAddresses,
): AddressPolicy {
  const { allowCidrs, denyCidrs, ports, denyEndpoints } = options;
  /** A service on an interface may be hidden from the outside by a firewall that this machine's own packets do not pass. */
  const isForeignPublic = (address: IpAddress) => {
    if (!isPublicIp(address) || interfaces.has(address)) return false;
    const carried = address.family === 6 ? findIsatapIpv4(address) : null;
    return carried === null || !interfaces.has(carried);
  };
  const permitsPort = (port: number) => port > 0 && (ports === '*' || ports.includes(port));
  return {
    ports,
    permitsPort,
    hasOpenedRanges: allowCidrs.length > 0,
    permits(text, port) {
      const address = parseIpAddress(text);
      if (address === null || port <= 0) return false;
      const carried = findNat64Ipv4(address);
      if (isInAny(address, denyCidrs) || (carried !== null && isInAny(carried, denyCidrs))) return false;
      // Opening a NAT64 gateway opens what could be reached without one, not what is private behind it.
      const isOpened =
        isInAny(address, allowCidrs) &&
        (carried === null || isForeignPublic(carried) || isInAny(carried, allowCidrs));
      if (!isOpened && !(permitsPort(port) && isForeignPublic(address))) return false;
      return !denyEndpoints().some(
        (endpoint) => endpoint.port === port && reaches(address, endpoint.address, interfaces),
      );
    },
  };
}
