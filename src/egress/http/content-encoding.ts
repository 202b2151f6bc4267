import { Refusal } from '../guard/refusal.ts';

/** A Content-Encoding that can be decoded. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** The request header for what can be decoded: name and value. */
export const ACCEPT_ENCODING = ['accept-encoding', 'gzip, deflate, br, zstd'] as const;

const ALIASES = new Map<string, Coding | 'identity'>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['', 'identity'],
  ['identity', 'identity'],
  // Not codings, but misconfigured hosts send them for none.
  ['none', 'identity'],
  ['binary', 'identity'],
  ['utf-8', 'identity'],
  ['utf8', 'identity'],
]);

/**
 * Parses a Content-Encoding header (RFC 9110 §8.4). Null for an unknown coding, and for more than one: real
 * pages use one, and each further one multiplies a decompression bomb.
 */
export function parseContentEncoding(header: string): Coding | 'identity' | null {
  let coding: Coding | 'identity' = 'identity';
  for (const token of header.slice(0, 256).toLowerCase().split(',')) {
    const known = ALIASES.get(token.trim());
    if (known === undefined) return null;
    if (known === 'identity') continue;
    if (coding !== 'identity') return null;
    coding = known;
  }
  return header.length > 256 ? null : coding;
}

/** Returns the refusal of a Content-Encoding that is not decoded. */
export function codingRefusal(header: string): Refusal {
  const tokens = header.slice(0, 256).toLowerCase().split(',');
  const isChain = header.length <= 256 && tokens.every((token) => ALIASES.has(token.trim()));
  const reason = isChain
    ? 'names several codings, of which only one is decoded'
    : 'is not one of gzip, deflate, br, zstd';
  return new Refusal(`content-encoding ${header.slice(0, 100)}`, {
    publicFailure: `could not be read: its Content-Encoding ${reason}`,
  });
}
