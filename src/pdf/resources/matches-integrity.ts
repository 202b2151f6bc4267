import { hash } from 'node:crypto';

const TOKEN = /^(?<algorithm>sha256|sha384|sha512)-(?<digest>[A-Za-z0-9+/]{43,86}={0,2})$/;

/**
 * Checks whether a file is the one of an `integrity` attribute (Subresource Integrity §3.3): by its strongest
 * hashes. Returns false if there is anything else in the attribute.
 */
export function matchesIntegrity(body: Uint8Array, integrity: string): boolean {
  const tokens = integrity.split(/[\t\n\f\r ]+/).filter((token) => token !== '');
  const hashes = tokens.map((token) => TOKEN.exec(token)?.groups);
  const algorithms = hashes.map((one) => one?.['algorithm'] ?? '');
  const strongest = algorithms.toSorted().at(-1) ?? '';
  if (strongest === '' || algorithms.includes('')) return false;
  const digest = hash(strongest, body, 'base64');
  return hashes.some((one) => one?.['algorithm'] === strongest && one['digest'] === digest);
}
