/** Recovery codes: 16 characters, 79 bits; each replaces one code of the authenticator app. */
import { hash, randomInt } from 'node:crypto';

const COUNT = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;
/** Without characters that look alike: 0 and o, 1, i and l. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const HASH_PREFIX = 'sha256:';

/** Returns new codes, like `k3dm-9xpt-hw5c-2rvb`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  );
}

/** Returns the form in which a code is stored; case, blanks and dashes do not count. */
export function hashRecoveryCode(code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return HASH_PREFIX + hash('sha256', plain, 'base64url');
}

/**
 * Formats the list that better-auth stores: digests only. It passes new codes, and after the use of one the
 * digests that are left.
 */
export function formatStoredCodes(json: string): string {
  const codes = JSON.parse(json) as string[];
  return JSON.stringify(codes.map((code) => (code.startsWith(HASH_PREFIX) ? code : hashRecoveryCode(code))));
}
