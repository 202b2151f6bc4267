import { type IpAddress, cidr, isInCidr, parseIpAddress } from './ip-address.ts';

/**
 * IPv4 blocks that are not public: the IANA special-purpose registry, 192.88.99/24, multicast, a cloud's host
 * agent. The network policies in deploy/kubernetes/ exclude the same blocks.
 */
export const SPECIAL_IPV4_BLOCKS = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // shared, carrier-grade NAT (RFC 6598); one cloud's metadata is 100.100.100.200
  '127.0.0.0/8', // loopback (RFC 1122)
  '169.254.0.0/16', // link-local (RFC 3927), metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments (RFC 6890)
  '192.0.2.0/24', // TEST-NET-1 (RFC 5737)
  '192.31.196.0/24', // AS112 (RFC 7535)
  '192.52.193.0/24', // AMT (RFC 7450)
  '192.88.99.0/24', // 6to4 relay anycast (RFC 7526)
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112 (RFC 7534)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // TEST-NET-2
  '203.0.113.0/24', // TEST-NET-3
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved, broadcast (RFC 1112, RFC 8190)
  '168.63.129.16/32', // the host agent inside one cloud's machines
];

const SPECIAL_IPV4 = SPECIAL_IPV4_BLOCKS.map(cidr);

/**
 * All of IANA's global unicast. Outside of it nothing is public (mapped, NAT64, ULA, link-local, multicast,
 * SRv6 …).
 */
export const GLOBAL_UNICAST_IPV6_BLOCK = '2000::/3';

const GLOBAL_UNICAST_IPV6 = cidr(GLOBAL_UNICAST_IPV6_BLOCK);

/** Blocks of it that are not public. The network policies exclude the same blocks. */
export const SPECIAL_IPV6_BLOCKS = [
  '2001::/23', // IETF protocol assignments: Teredo, ORCHID, benchmarking, AS112 (RFC 2928)
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4: carries any IPv4 address (RFC 3056)
  '2620:4f:8000::/48', // AS112 (RFC 7534)
  '3fff::/20', // documentation (RFC 9637)
];

const SPECIAL_IPV6 = SPECIAL_IPV6_BLOCKS.map(cidr);

function isPublicIpv4(address: IpAddress): boolean {
  return !SPECIAL_IPV4.some((block) => isInCidr(address, block));
}

/**
 * Returns the IPv4 address that an ISATAP address (`0[02]00:5efe:a.b.c.d`, RFC 5214 §6.1) delivers to, or
 * null.
 */
export function findIsatapIpv4({ bytes }: IpAddress): IpAddress | null {
  const isIsatap =
    ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isIsatap ? { family: 4, bytes: bytes.subarray(12), mapped: false } : null;
}

/** Reports whether a parsed address is public. An IPv4-mapped one (`::ffff:8.8.8.8`) is not. */
export function isPublicIp(address: IpAddress): boolean {
  if (address.mapped) return false;
  if (address.family === 4) return isPublicIpv4(address);
  if (!isInCidr(address, GLOBAL_UNICAST_IPV6)) return false;
  if (SPECIAL_IPV6.some((block) => isInCidr(address, block))) return false;
  const carried = findIsatapIpv4(address);
  return carried === null || isPublicIpv4(carried);
}

/**
 * Reports whether an address literal is public (IANA special-purpose registries; an allowlist for IPv6).
 * False for other text.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseIpAddress(address);
  return parsed !== null && isPublicIp(parsed);
}
