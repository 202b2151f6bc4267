/** The standard security handler, revision 6 (ISO 32000-2 §7.6.4): AES-256. */
import { createCipheriv, hash, randomBytes } from 'node:crypto';
import type { Encryption, Permission } from '../finishing.ts';

const SALT_BYTES = 8;
const BLOCK_BYTES = 16;
const NO_BYTES = Buffer.alloc(0);
const ZERO_IV = Buffer.alloc(BLOCK_BYTES);

/** The bits of /P (ISO 32000-2, table 22), counted from 1. */
const PERMISSION_BITS: Record<Permission, readonly number[]> = {
  print: [3],
  modify: [4],
  copy: [5],
  annotate: [6],
  fill_forms: [9],
  assemble: [11],
  // Without bit 3, a reader prints nothing.
  print_high_quality: [3, 12],
};
/** Bits that must be set: those without a meaning, and 10, text for people who cannot see it. */
const RESERVED_BITS = 0xff_ff_f2_c0;

/** The values of the encryption dictionary (ISO 32000-2, tables 20 and 21), and the key of the file. */
export interface SecurityHandler {
  fileKey: Buffer;
  /** /P, as a signed number of 32 bits. */
  permissions: number;
  user: PasswordEntries;
  owner: PasswordEntries;
  /** /Perms: the permissions, encrypted, so that a change of /P is found. */
  encryptedPermissions: Buffer;
}

/** Entries that belong to a password. */
interface PasswordEntries {
  /** /U or /O: checks the password. */
  validation: Buffer;
  /** /UE or /OE: the key of the file, encrypted with the password. */
  wrappedKey: Buffer;
}

/** Creates the key of a file, and what its passwords need to open it. */
export function createSecurityHandler({ password, ownerPassword, permissions }: Encryption): SecurityHandler {
  const fileKey = randomBytes(32);
  const userPassword = Buffer.from(password ?? '', 'utf8');
  const user = createEntries(userPassword, NO_BYTES, fileKey);
  // The only password of a file gives all permissions.
  const owner = createEntries(
    ownerPassword === null ? userPassword : Buffer.from(ownerPassword, 'utf8'),
    user.validation,
    fileKey,
  );
  const bits = combinePermissions(permissions);
  return {
    fileKey,
    permissions: bits,
    user,
    owner,
    encryptedPermissions: encryptPermissions(bits, fileKey),
  };
}

/** Encrypts a string or a stream (ISO 32000-2 §7.6.3.3, algorithm 1.A). Returns the parts of the result. */
export function encryptBytes(bytes: Uint8Array, fileKey: Buffer): Buffer[] {
  const iv = randomBytes(BLOCK_BYTES);
  const cipher = createCipheriv('aes-256-cbc', fileKey, iv);
  return [iv, cipher.update(bytes), cipher.final()];
}

/** Creates the entries of a password (algorithms 8 and 9). */
function createEntries(password: Buffer, userEntry: Buffer, fileKey: Buffer): PasswordEntries {
  const validationSalt = randomBytes(SALT_BYTES);
  const keySalt = randomBytes(SALT_BYTES);
  const key = hashPassword(password, keySalt, userEntry);
  const cipher = createCipheriv('aes-256-cbc', key, ZERO_IV).setAutoPadding(false);
  return {
    validation: Buffer.concat([hashPassword(password, validationSalt, userEntry), validationSalt, keySalt]),
    wrappedKey: cipher.update(fileKey),
  };
}

function combinePermissions(permissions: readonly Permission[]): number {
  const bits = permissions.flatMap((permission) => PERMISSION_BITS[permission]);
  return bits.reduce((sum, bit) => sum | (1 << (bit - 1)), RESERVED_BITS | 0);
}

/** Encrypts the permissions (algorithm 10). */
function encryptPermissions(permissions: number, fileKey: Buffer): Buffer {
  const block = Buffer.concat([
    Buffer.alloc(4),
    Buffer.from('\u00ff\u00ff\u00ff\u00ffTadb', 'latin1'),
    randomBytes(4),
  ]);
  block.writeInt32LE(permissions);
  return createCipheriv('aes-256-ecb', fileKey, null).setAutoPadding(false).update(block);
}

/**
 * Characters that SASLprep (RFC 4013) removes, replaces by a blank or forbids: readers that skip it would ask
 * for another password than readers that do not.
 */
const AMBIGUOUS =
  /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Cf}\uFFFC\uFFFD\u2FF0-\u2FFB]|(?! )\p{Zs}/u;
const RIGHT_TO_LEFT =
  '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}';
const HAS_RIGHT_TO_LEFT = new RegExp(`[${RIGHT_TO_LEFT}]`, 'u');
/** SASLprep forbids a right-to-left text with other letters, or that does not begin and end with its own. */
const IS_RIGHT_TO_LEFT = new RegExp(
  `^[${RIGHT_TO_LEFT}](?:(?:(?!\\p{L})[^]|[${RIGHT_TO_LEFT}])*[${RIGHT_TO_LEFT}])?\\p{M}*$`,
  'u',
);

/**
 * Normalizes a password as PDF readers do (ISO 32000-2 §7.6.4.3.3). Returns null for a password that some
 * readers would change, so that it would not open its PDF in all of them.
 */
export function normalizePassword(password: string): string | null {
  const normalized = password.normalize('NFC');
  const isStable = normalized === password.normalize('NFKC') && !AMBIGUOUS.test(normalized);
  const isDirected = !HAS_RIGHT_TO_LEFT.test(normalized) || IS_RIGHT_TO_LEFT.test(normalized);
  return isStable && isDirected ? normalized : null;
}

/** Rounds that every password takes. */
const MIN_ROUNDS = 64;
const REPETITIONS = 64;
const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;

/**
 * Computes the hash of a password (ISO 32000-2 §7.6.4.3.4, algorithm 2.B). `userEntry` is /U for the owner's
 * password, and empty for the user's.
 */
function hashPassword(password: Uint8Array, salt: Uint8Array, userEntry: Uint8Array): Buffer {
  let key = hash('sha256', Buffer.concat([password, salt, userEntry]), 'buffer');
  for (let round = 0, last = 0; round < MIN_ROUNDS || last > round - 32; round += 1) {
    const block = Buffer.concat([password, key, userEntry]);
    const input = Buffer.alloc(block.length * REPETITIONS);
    for (let at = 0; at < input.length; at += block.length) input.set(block, at);
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    const encrypted = cipher.setAutoPadding(false).update(input);
    // 256 is 1 modulo 3: the number and the sum of its bytes have the same remainder.
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = hash(DIGESTS[sum % 3] ?? 'sha256', encrypted, 'buffer');
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}
