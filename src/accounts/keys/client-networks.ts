import { BlockList, isIP } from 'node:net';

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether a client address lies in one of the ranges; without ranges everyone does. IPv4-mapped IPv6 counts as IPv4. */
export function isClientAllowed(cidrs: readonly string[] | null, address: string): boolean {
  if (cidrs === null) return true;
  // Some proxies write X-Forwarded-For with the port.
  const [, v4, v6] = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/.exec(address) ?? [];
  const bare = v4 ?? v6 ?? address;
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
  const family = isIP(plain);
  return family !== 0 && openList(cidrs).check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

function openList(cidrs: readonly string[]): BlockList {
  const known = lists.get(cidrs);
  if (known) return known;
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  lists.set(cidrs, list);
  return list;
}

/** A range as `address/prefix`; a bare address is a range of one. Null where it is neither. */
export function parseClientCidr(text: string): string | null {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0 || address.includes('%')) return null;
  if (prefix === undefined) return `${address}/${bits}`;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? `${address}/${Number(prefix)}` : null;
}
