import { PERMISSIONS, type Encryption, type Permission } from '../finish/finishing.ts';
import { normalizePassword } from '../finish/encryption/normalize-password.ts';
import { MAX_PASSWORD_BYTES } from './limits.ts';
import { formatChoices, getMember, throwInvalid, type Body } from './members.ts';

/** Parses the passwords of the PDF and what is allowed without the owner's; null if it is not encrypted. */
export function parseEncryption(body: Body): Encryption | null {
  const password = parsePassword(body, 'password');
  const ownerPassword = parsePassword(body, 'owner_password');
  const permissions = parsePermissions(body);
  if (permissions !== null && ownerPassword === null)
    throwInvalid('permissions', 'permissions need owner_password, which lifts them: send both.');
  if (ownerPassword !== null && ownerPassword === password)
    throwInvalid(
      'owner_password',
      'owner_password must differ from password: a reader who opens the PDF would have all permissions.',
    );
  if (password === null && ownerPassword === null) return null;
  return { password, ownerPassword, permissions: permissions ?? PERMISSIONS };
}

/** Parses a password, of which all readers make the same key. */
function parsePassword(body: Body, name: 'password' | 'owner_password'): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || countBytes(value) > MAX_PASSWORD_BYTES)
    throwInvalid(name, `${name} must be a text of 1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8.`);
  const password = normalizePassword(value);
  if (password === null)
    return throwInvalid(
      name,
      `${name} has characters that PDF readers treat differently, such as invisible ones: send letters, digits, signs and single emoji.`,
    );
  return password;
}

/** Counts the bytes of a password as it is stored, and as it was sent if that is longer than it may be. */
function countBytes(value: string): number {
  return Buffer.byteLength(value.length > MAX_PASSWORD_BYTES * 2 ? value : value.normalize('NFC'), 'utf8');
}

function parsePermissions(body: Body): readonly Permission[] | null {
  const value = getMember(body, 'permissions');
  if (value === undefined) return null;
  if (!Array.isArray(value))
    return throwInvalid('permissions', `permissions must be an array of ${formatChoices(PERMISSIONS)}.`);
  const unknown = value.findIndex((one) => !PERMISSIONS.includes(one as Permission));
  if (unknown !== -1) {
    const name = `permissions[${unknown}]`;
    throwInvalid(name, `${name} must be ${formatChoices(PERMISSIONS)}.`);
  }
  return PERMISSIONS.filter((one) => value.includes(one));
}
