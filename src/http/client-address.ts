import { isIP, isIPv6 } from 'node:net';

/**
 * Returns the unit in which clients without a key are counted: an IPv4 address, or the /64 of an IPv6
 * address, which is what one customer usually has.
 */
export function computeAddressBlock(address: string): string {
  const plain = extractAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? before
      : [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * Formats an IP address for people: IPv4 plain, IPv6 in its short form. Returns null for any other text,
 * which a proxy may forward.
 */
export function formatAddress(address: string): string | null {
  const plain = extractAddress(address);
  if (isIP(plain) === 0) return null;
  return isIPv6(plain) ? (URL.parse(`http://[${plain}]`)?.hostname.slice(1, -1) ?? plain) : plain;
}

/** Returns the address without a port, a zone and the prefix of IPv4 addresses on an IPv6 socket. */
function extractAddress(address: string): string {
  // Some proxies add the port to X-Forwarded-For: each connection would be counted by itself.
  const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/.exec(address);
  const bare = withPort?.[1] ?? withPort?.[2] ?? address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  return mapped?.[1] ?? bare.split('%')[0] ?? bare;
}
