import { createCipheriv, hash } from 'node:crypto';

/** Rounds that every password takes. */
const MIN_ROUNDS = 64;
const REPETITIONS = 64;
const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;

/**
 * Computes the hash of a password (ISO 32000-2 §7.6.4.3.4, algorithm 2.B). `userEntry` is /U for the owner's
 * password, and empty for the user's.
 */
export function hashPassword(password: Uint8Array, salt: Uint8Array, userEntry: Uint8Array): Buffer {
  let key = hash('sha256', Buffer.concat([password, salt, userEntry]), 'buffer');
  for (let round = 0, last = 0; round < MIN_ROUNDS || last > round - 32; round += 1) {
    const block = Buffer.concat([password, key, userEntry]);
    const input = Buffer.alloc(block.length * REPETITIONS);
    for (let at = 0; at < input.length; at += block.length) input.set(block, at);
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const encrypted = cipher.setAutoPadding(false).update(input);
    // 256 is 1 modulo 3: the remainder of the number is that of the sum of its bytes.
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = hash(DIGESTS[sum % 3] ?? 'sha256', encrypted, 'buffer');
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}
