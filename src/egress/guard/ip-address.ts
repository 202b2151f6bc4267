import { isIP } from 'node:net';

/**
 * The bytes of an IPv4 or IPv6 address. `::ffff:a.b.c.d` becomes the IPv4 address in it, and `mapped` is
 * true.
 */
export interface IpAddress {
  family: 4 | 6;
  /** 4 or 16 bytes, network order. */
  bytes: Uint8Array;
  mapped: boolean;
}

function parseIpv4(text: string): Uint8Array {
  return Uint8Array.from(text.split('.'), Number);
}

function parseIpv6(text: string): Uint8Array {
  const bytes = new Uint8Array(16);
  const dotted = text.lastIndexOf('.') === -1 ? null : parseIpv4(text.slice(text.lastIndexOf(':') + 1));
  const groupText = dotted === null ? text : `${text.slice(0, text.lastIndexOf(':') + 1)}0:0`;
  const [headText = '', tailText] = groupText.split('::');
  const head = headText === '' ? [] : headText.split(':');
  const tail = tailText === undefined || tailText === '' ? [] : tailText.split(':');
  const write = (groups: string[], start: number) => {
    for (const [index, group] of groups.entries()) {
      const value = Number.parseInt(group, 16);
      bytes[start + index * 2] = value >> 8;
      bytes[start + index * 2 + 1] = value & 0xff;
    }
  };
  write(head, 0);
  write(tail, 16 - tail.length * 2);
  if (dotted !== null) bytes.set(dotted, 12);
  return bytes;
}

function isMapped(bytes: Uint8Array): boolean {
  for (let index = 0; index < 10; index += 1) if (bytes[index] !== 0) return false;
  return bytes[10] === 0xff && bytes[11] === 0xff;
}

/** Parses an address literal without brackets; a zone id is ignored. Null for anything else. */
export function parseIpAddress(text: string): IpAddress | null {
  const zone = text.indexOf('%');
  const address = zone === -1 ? text : text.slice(0, zone);
  const family = isIP(address);
  if (family === 4) return { family: 4, bytes: parseIpv4(address), mapped: false };
  if (family !== 6) return null;
  const bytes = parseIpv6(address);
  if (isMapped(bytes)) return { family: 4, bytes: bytes.subarray(12), mapped: true };
  return { family: 6, bytes, mapped: false };
}

/** Reports whether both are the same address, in whatever spelling. */
export function isSameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.bytes.every((byte, index) => byte === b.bytes[index]);
}

/** A block of addresses: all of the same family whose first `prefixLength` bits equal the ones in `bytes`. */
export interface Cidr {
  family: 4 | 6;
  bytes: Uint8Array;
  /** 0 to 32 or 0 to 128. */
  prefixLength: number;
}

/** Reports whether the address is in the block. */
export function isInCidr(address: IpAddress, cidr: Cidr): boolean {
  if (address.family !== cidr.family) return false;
  const whole = cidr.prefixLength >> 3;
  for (let index = 0; index < whole; index += 1) {
    if (address.bytes[index] !== cidr.bytes[index]) return false;
  }
  const rest = cidr.prefixLength & 7;
  if (rest === 0) return true;
  const shift = 8 - rest;
  return (address.bytes[whole] ?? 0) >> shift === (cidr.bytes[whole] ?? 0) >> shift;
}

/**
 * Parses `address/length` or a single address (RFC 4632, RFC 4291 §2.3). Null for anything else, and for a
 * block with bits set beyond its length (10.0.0.1/8), which is more often a mistake than intended.
 */
export function parseCidr(text: string): Cidr | null {
  const match = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text.trim());
  const address = match?.[1] === undefined ? null : parseIpAddress(match[1]);
  if (match === null || address === null || address.mapped) return null;
  const bits = address.bytes.length * 8;
  const prefixLength = match[2] === undefined ? bits : Number(match[2]);
  if (prefixLength > bits) return null;
  for (let bit = prefixLength; bit < bits; bit += 1) {
    if (((address.bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0) return null;
  }
  return { family: address.family, bytes: address.bytes, prefixLength };
}

/** Parses a block that is a constant of the source. Throws if it is malformed. */
export function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === null) throw new Error(`not a CIDR block: ${text}`);
  return parsed;
}
