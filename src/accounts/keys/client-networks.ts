import { BlockList, isIP } from 'node:net';

/** Built once for each list of ranges. */
const blockLists = new WeakMap<readonly string[], BlockList>();

/**
 * Returns whether one of the ranges contains the client's address; null allows all addresses. An IPv4-mapped
 * IPv6 address counts as IPv4.
 */
export function isClientAllowed(cidrs: readonly string[] | null, address: string): boolean {
  if (cidrs === null) return true;
  // Some proxies add the port in X-Forwarded-For.
  const [, v4, v6] = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/.exec(address) ?? [];
  const bare = v4 ?? v6 ?? address;
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
  const family = isIP(plain);
  return family !== 0 && getBlockList(cidrs).check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

function getBlockList(cidrs: readonly string[]): BlockList {
  const known = blockLists.get(cidrs);
  if (known) return known;
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  blockLists.set(cidrs, list);
  return list;
}

/**
 * Parses a range to `address/prefix`; an address alone is a range of one. Returns null for any other text.
 */
export function parseClientCidr(text: string): string | null {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0 || address.includes('%')) return null;
  if (prefix === undefined) return `${address}/${bits}`;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? `${address}/${Number(prefix)}` : null;
}
