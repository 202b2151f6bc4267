import { parseIpAddress, type IpAddress } from './ip-address.ts';

/** A block of addresses: all of this family whose first `prefixLength` bits equal those of `bytes`. */
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
