import { BlockList, isIP } from 'node:net';

/** The networks that a key may be used from. */
export class ClientNetworks {
  readonly #cidrs: readonly string[];
  #blockList: BlockList | null = null;

  constructor(cidrs: readonly string[]) {
    this.#cidrs = cidrs;
  }

  /** Returns whether a network contains the client's address. An IPv4-mapped IPv6 address counts as IPv4. */
  contains(address: string): boolean {
    // Some proxies add the port in X-Forwarded-For.
    const [, v4, v6] = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/.exec(address) ?? [];
    const bare = v4 ?? v6 ?? address;
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
    const family = isIP(plain);
    if (family === 0) return false;
    this.#blockList ??= createBlockList(this.#cidrs);
    return this.#blockList.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  }
}

function createBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', prefix = ''] = cidr.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
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
