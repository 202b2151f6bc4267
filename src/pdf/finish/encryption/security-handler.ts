/** The standard security handler, revision 6 (ISO 32000-2 §7.6.4): AES-256. */
import { createCipheriv, randomBytes } from 'node:crypto';
import type { Encryption, Permission } from '../finishing.ts';
import { hashPassword } from './hash-password.ts';

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
export interface PasswordEntries {
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
