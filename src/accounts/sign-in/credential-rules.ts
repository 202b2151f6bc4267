/** The rules for the email address and the password of an account. */
import { ApiError } from '#errors';
import { parseAccountEmail } from '../account.ts';

const MIN_LENGTH = 10;
const MAX_BYTES = 128;

/**
 * The first parts and roots of the most common passwords of ten characters and more in published leaks. What
 * remains of a password without them must have some variety.
 */
const COMMON =
  /password|passw0rd|p@ssw0rd|qwertyuiop|qwerty|azerty|asdfghjkl|zxcvbnm|iloveyou|letmein|welcome|monkey|dragon|football|baseball|superman|batman|sunshine|princess|master|shadow|michael|jennifer|computer|internet|whatever|trustno1|starwars|administrator|admin|changeme|secret|0123456789|1234567890|123456789|12345678|1234567|123456|12345|1q2w3e4r5t|1q2w3e4r|1qaz2wsx|q1w2e3r4|abcdefghij|abcd1234|abc123|aa123456/g;
/** The least number of different characters in that remainder. */
const MIN_VARIETY = 5;

/** Parses an account's email address. Throws `invalid_parameter` if it is malformed. */
export function parseEmail(text: string): string {
  const email = parseAccountEmail(text);
  if (email === null)
    throw new ApiError('invalid_parameter', 'This is not an email address: write it as ann@example.com.', {
      param: 'email',
    });
  return email;
}

/**
 * Throws `invalid_parameter` with the reason if a password is weak: shorter than 10 characters, over 128
 * bytes, a common password or a variation of one, few different characters, or the email address itself. Any
 * characters are allowed (NIST SP 800-63B, ASVS 6.2).
 */
export function assertStrongPassword(password: string, email: string, param: string): void {
  const reason = findWeakness(password, email);
  if (reason !== null) throw new ApiError('invalid_parameter', reason, { param });
}

function findWeakness(password: string, email: string): string | null {
  if (password.normalize('NFC').length < MIN_LENGTH)
    return `The password must have at least ${MIN_LENGTH} characters: a sentence of a few words is easy to remember.`;
  if (Buffer.byteLength(password) > MAX_BYTES) return `The password may have at most ${MAX_BYTES} bytes.`;
  const plain = password.toLowerCase();
  const [local = ''] = email.split('@');
  if (plain === email || (local.length >= 4 && plain.replaceAll(local, '').length < MIN_VARIETY))
    return 'The password must not be made of the email address: choose another.';
  if (new Set(plain.replaceAll(COMMON, '')).size < MIN_VARIETY)
    return 'The password is one of the first that anyone would guess: choose another, like a few words that do not belong together.';
  return null;
}
