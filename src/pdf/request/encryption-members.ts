import { PERMISSIONS, type Encryption, type Permission } from '../finish/finishing.ts';
import { normalizePassword } from '../finish/encryption/normalize-password.ts';
import { MAX_PASSWORD_BYTES } from './limits.ts';
import { formatChoices, getMember, throwInvalid, throwUnexpected, type Body } from './members.ts';

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
  const bytes = typeof value === 'string' ? countBytes(value) : 0;
  if (typeof value !== 'string' || bytes === 0 || bytes > MAX_PASSWORD_BYTES) {
    // Without the value: what was sent as a password is one.
    const received = typeof value === 'string' ? `has ${bytes}` : 'is no string';
    throwInvalid(
      name,
      `${name} must be a text of 1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8: it ${received}.`,
    );
  }
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
    return throwUnexpected('permissions', `an array of ${formatChoices(PERMISSIONS)}`, value);
  const unknown = value.findIndex((one) => !PERMISSIONS.includes(one as Permission));
  if (unknown !== -1) {
    const name = `permissions[${unknown}]`;
    throwUnexpected(name, formatChoices(PERMISSIONS), value[unknown]);
  }
  return PERMISSIONS.filter((one) => value.includes(one));
}
