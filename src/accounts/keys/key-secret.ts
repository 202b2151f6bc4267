/**
 * The secret of an API key: `ua_live_`, 32 random base62 characters (190 bits), their CRC-32 in 6 base62
 * characters. The checksum refuses malformed keys without a query; secret scanners find leaked keys by
 * `ua_live_[0-9A-Za-z]{38}`.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createRandomText, formatBase62 } from '../random-text.ts';

const PREFIX = 'ua_live_';
const SHAPE = /^ua_live_[0-9A-Za-z]{38}$/;
const CHECKED_LENGTH = PREFIX.length + 32;

/** Returns a new random secret. */
export function createKeySecret(): string {
  const checked = PREFIX + createRandomText(32);
  return checked + formatBase62(crc32(checked), 6);
}

/** Returns whether the text has the shape and the checksum of a secret. */
export function isKeySecret(text: string): boolean {
  return (
    text.length === CHECKED_LENGTH + 6 &&
    SHAPE.test(text) &&
    text.endsWith(formatBase62(crc32(text.slice(0, CHECKED_LENGTH)), 6))
  );
}

/** Returns the SHA-256 of the secret in base64url. At 190 bits of entropy no slow hash is needed. */
export function hashKeySecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
