import { Refusal } from '../guard/refusal.ts';

/** A Content-Encoding that is undone here. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

const ALIASES = new Map<string, Coding | 'identity'>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['', 'identity'],
  ['identity', 'identity'],
  // Not codings, but what misconfigured hosts write for none.
  ['none', 'identity'],
  ['binary', 'identity'],
  ['utf-8', 'identity'],
  ['utf8', 'identity'],
]);

/** Reads a Content-Encoding header (RFC 9110 §8.4). Null for a coding that is not known, and for more than one: nobody needs them, and a chain multiplies a bomb. */
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

/** The refusal of a coding that cannot be undone. */
export function codingRefusal(header: string): Refusal {
  return new Refusal(`content-encoding ${header.slice(0, 100)}`, {
    publicSentence:
      'The target URL could not be read: its Content-Encoding is not one of gzip, deflate, br, zstd.',
  });
}
