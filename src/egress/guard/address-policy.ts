import { networkInterfaces } from 'node:os';
import { type Cidr, type IpAddress, cidr, isInCidr, isSameAddress, parseIpAddress } from './ip-address.ts';
import { findIsatapIpv4, isPublicIp } from './public-address.ts';

export interface InterfaceAddressesOptions {
  /**
   * Returns the addresses of this machine's interfaces; by default those that the operating system reports.
   */
  list?: (() => string[]) | undefined;
  /** Milliseconds between two updates; default 30,000. */
  intervalMs?: number;
  /** Called when an update fails after one that succeeded. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The addresses of this machine's interfaces, as of the last update. */
interface InterfaceAddresses {
  has(address: IpAddress): boolean;
  /** Stops the timer. */
  close(): void;
}

const INTERVAL_MS = 30_000;

function listInterfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

/** Returns the same key for every spelling of an address; keys of the families differ in length. */
const toKey = ({ bytes }: IpAddress): string => String.fromCharCode(...bytes);

/**
 * Lists the addresses of the machine's interfaces now and every 30 s, so that a decision costs one search in
 * a set. If an update fails, the addresses of the last one stay.
 */
export function openInterfaceAddresses(options: InterfaceAddressesOptions = {}): InterfaceAddresses {
  const { list = listInterfaceAddresses, intervalMs = INTERVAL_MS, onError } = options;
  let keys = new Set<string>();
  let hasFailed = false;
  const update = () => {
    try {
      const addresses = list().map(parseIpAddress);
      keys = new Set(addresses.filter((address) => address !== null).map(toKey));
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError?.(error);
      hasFailed = true;
    }
  };
  update();
  const timer = setInterval(update, intervalMs).unref();
  return {
    has: (address) => keys.has(toKey(address)),
    close: () => clearInterval(timer),
  };
}

/**
 * A socket that callers must not reach: a listener of this service, its database, its Redis. `address` may
 * be a wildcard (0.0.0.0, ::) or a host name.
 */
export interface Endpoint {
  address: string;
  port: number;
}

export interface AddressPolicyOptions {
  /** Blocks that the operator allows, with all their ports. */
  allowCidrs: readonly Cidr[];
  /** Blocks that the operator denies; they override everything else. */
  denyCidrs: readonly Cidr[];
  /** The permitted ports of public addresses; `*` for all. */
  ports: readonly number[] | '*';
  /** Called for each decision, so that listeners can change. */
  denyEndpoints: () => readonly Endpoint[];
}

/** Decides which addresses sockets may be connected to. */
export interface AddressPolicy {
  /** Reports whether a socket may be connected to this address (a literal) and port. */
  permits(address: string, port: number): boolean;
  /**
   * Reports whether an address (a literal) is public and does not belong to this machine; for a NAT64
   * address, decides by the IPv4 address in it. Ranges that the operator allows do not become public.
   */
  isPublic(address: string): boolean;
  /** Reports whether a port is permitted on public addresses. */
  permitsPort(port: number): boolean;
  /** True if the operator allows any range, so that a port outside the list may be permitted. */
  readonly hasAllowedRanges: boolean;
  /** The permitted ports of public addresses, for messages. */
  readonly ports: readonly number[] | '*';
}

const isUnspecified = ({ bytes }: IpAddress) => bytes.every((byte) => byte === 0);
const isLoopback = ({ family, bytes }: IpAddress) =>
  family === 4 ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));

/**
 * A NAT64 gateway forwards packets for such an address to the IPv4 address in its last four bytes (RFC 6052).
 */
const NAT64 = cidr('64:ff9b::/96');

function findNat64Ipv4(address: IpAddress): IpAddress | null {
  return isInCidr(address, NAT64) ? { family: 4, bytes: address.bytes.subarray(12), mapped: false } : null;
}

const isInAny = (address: IpAddress, blocks: readonly Cidr[]) =>
  blocks.some((block) => isInCidr(address, block));

/** Reports whether a connection to `target` can reach a listener on `endpoint`; both have the same port. */
function reaches(target: IpAddress, endpoint: string, interfaces: InterfaceAddresses): boolean {
  const listener = parseIpAddress(endpoint);
  // The addresses of the name are not known here, so it covers every address that is not public.
  if (listener === null) return !isPublicIp(target);
  if (isSameAddress(target, listener)) return true;
  // A connection to the unspecified address reaches loopback.
  if (isUnspecified(target)) return true;
  if (!isUnspecified(listener)) return false;
  return isLoopback(target) || interfaces.has(target);
}

/**
 * Creates the policy for every connection. It permits public addresses on the given ports, except the
 * addresses of this machine's interfaces, and the operator's allowed ranges on any port. It never permits the
 * service's own sockets, nor a range that the operator denies.
 */
export function createAddressPolicy(
  options: AddressPolicyOptions,
  interfaces: InterfaceAddresses,
): AddressPolicy {
  const { allowCidrs, denyCidrs, ports, denyEndpoints } = options;
  /**
   * An interface's own address is excluded: a firewall that protects it from outside does not see local
   * packets.
   */
  const isForeignPublic = (address: IpAddress) => {
    if (!isPublicIp(address) || interfaces.has(address)) return false;
    const carried = address.family === 6 ? findIsatapIpv4(address) : null;
    return carried === null || !interfaces.has(carried);
  };
  const permitsPort = (port: number) => port > 0 && (ports === '*' || ports.includes(port));
  return {
    ports,
    permitsPort,
    hasAllowedRanges: allowCidrs.length > 0,
    isPublic(text) {
      const address = parseIpAddress(text);
      return address !== null && isForeignPublic(findNat64Ipv4(address) ?? address);
    },
    permits(text, port) {
      const address = parseIpAddress(text);
      if (address === null || port <= 0) return false;
      const carried = findNat64Ipv4(address);
      if (isInAny(address, denyCidrs) || (carried !== null && isInAny(carried, denyCidrs))) return false;
      // Allowing a NAT64 gateway permits the public Internet behind it, not its private addresses.
      const isAllowed =
        isInAny(address, allowCidrs) &&
        (carried === null || isForeignPublic(carried) || isInAny(carried, allowCidrs));
      if (!isAllowed && !(permitsPort(port) && isForeignPublic(address))) return false;
      return !denyEndpoints().some(
        (endpoint) => endpoint.port === port && reaches(address, endpoint.address, interfaces),
      );
    },
  };
}

/**
 * `public`: public addresses. `opened`: other addresses, which the operator has opened. A document with one
 * reach cannot send anything to addresses of the other.
 */
export type Reach = 'public' | 'opened';

/**
 * Restricts `policy` to the addresses within `reach`. An allowed range may permit more ports of a public
 * address: these are within no reach.
 */
export function restrictPolicy(policy: AddressPolicy, reach: Reach): AddressPolicy {
  const isWithin = (address: string, port: number) =>
    reach === 'public' ? policy.isPublic(address) && policy.permitsPort(port) : !policy.isPublic(address);
  return { ...policy, permits: (address, port) => isWithin(address, port) && policy.permits(address, port) };
}

/** Returns the reach of a peer, by its address and port; null if it has none, for example an unknown peer. */
export function findReach(policy: AddressPolicy, address: string, port: number): Reach | null {
  if (policy.isPublic(address)) return policy.permitsPort(port) ? 'public' : null;
  return policy.permits(address, port) ? 'opened' : null;
}
