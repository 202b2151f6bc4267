/** Checks of email addresses and passwords before they are sent. The service decides. */

/** The service's own minimum. */
export const MIN_PASSWORD_CHARACTERS = 10;

/** Counts characters as the service does: by code point. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Returns what is wrong with a new password, or null. */
export function validatePassword(password: string): string | null {
  if (countCharacters(password) >= MIN_PASSWORD_CHARACTERS) return null;
  return `The password is too short: use at least ${MIN_PASSWORD_CHARACTERS} characters.`;
}

/** Returns what is obviously wrong with an email address, or null. */
export function validateAddress(email: string): string | null {
  if (email.trim() === '') return 'Enter your email address.';
  return /^[^@\s]+@[^@\s]+$/.test(email.trim())
    ? null
    : 'This is not an email address: it needs a name, an @ and a domain.';
}
