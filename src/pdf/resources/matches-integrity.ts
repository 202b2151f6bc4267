import { hash } from 'node:crypto';

const TOKEN = /^(?<algorithm>sha256|sha384|sha512)-(?<digest>[A-Za-z0-9+/]{43,86}={0,2})(?:\?.*)?$/;
/** A token that Chromium may check; it passes over any other. */
const CHECKED = /^(?:sha-?(?:256|384|512)|ed25519)/i;

/**
 * Checks whether a file is the one of an `integrity` attribute (Subresource Integrity §3.3): by its strongest
 * hashes. Any file is if there are none. Returns false if there is a hash in a form that is not known here.
 */
export function matchesIntegrity(body: Uint8Array, integrity: string): boolean {
  const tokens = integrity.split(/[\t\n\f\r ]+/).filter((token) => CHECKED.test(token));
  if (tokens.length === 0) return true;
  const hashes = tokens.map((token) => TOKEN.exec(token)?.groups);
  const algorithms = hashes.map((one) => one?.['algorithm'] ?? '');
  const strongest = algorithms.toSorted().at(-1) ?? '';
  if (algorithms.includes('')) return false;
  const digest = hash(strongest, body, 'base64');
  return hashes.some((one) => one?.['algorithm'] === strongest && one['digest'] === digest);
}
