/** The options that change the PDF after it was printed. */
import { type Encryption, type Finishing, PERMISSIONS, type Permission } from '../finish/finishing.ts';
import type { OptionRow } from '#options';
import {
  type Body,
  describeValue,
  formatChoices,
  getMember,
  isName,
  parseOneOf,
  throwInvalid,
  throwUnexpected,
  toLine,
} from './members.ts';
import { normalizePassword } from '../finish/encryption/security-handler.ts';

/** Checks that no archive is encrypted (ISO 19005-3 §6.1.3). Throws `invalid_parameter`. */
export function checkMayEncrypt({
  encryption,
  pdfa,
  invoice,
}: Pick<Finishing, 'encryption' | 'pdfa' | 'invoice'>): void {
  if (encryption === null || pdfa === null) return;
  const param = encryption.password === null ? 'owner_password' : 'password';
  throwInvalid(
    param,
    `${param} cannot be combined with ${invoice === null ? 'pdfa' : 'facturx'}: PDF/A excludes encryption. Leave one of them out.`,
  );
}

export const MAX_KEYWORDS = 100;
const MAX_KEYWORD_CHARACTERS = 1_000;
/** Characters of all keywords together. */
const MAX_KEYWORDS_CHARACTERS = 4_000;

/** UTF-8 bytes of a password (ISO 32000-2 §7.6.4.3.3). */
const MAX_PASSWORD_BYTES = 127;

/** Parses the part and level of PDF/A, which an electronic invoice implies. */
export function parsePdfa(body: Body, name: string): '3b' | null {
  return parseOneOf(body, name, ['3b']) ?? (getMember(body, 'facturx') === undefined ? null : '3b');
}

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

/** Parses keywords: an array, or a text that separates them with commas or semicolons. */
export function parseKeywords(body: Body): readonly string[] {
  const value = getMember(body, 'keywords');
  if (value === undefined) return [];
  const texts = typeof value === 'string' ? value.split(/[,;]/).filter((text) => text.trim() !== '') : value;
  if (
    !Array.isArray(texts) ||
    texts.length > MAX_KEYWORDS ||
    (typeof value === 'string' && texts.length === 0)
  )
    throwInvalid(
      'keywords',
      `keywords must be an array of at most ${MAX_KEYWORDS} texts, or a text that separates them with commas: ${Array.isArray(texts) && texts.length > 0 ? `there are ${texts.length}` : `it is ${describeValue(value)}`}.`,
    );
  const keywords = texts.map((text, index) => parseKeyword(text, Array.isArray(value) ? index : null));
  const characters = keywords.reduce((sum, { length }) => sum + length, 0);
  return characters <= MAX_KEYWORDS_CHARACTERS
    ? keywords
    : throwInvalid(
        'keywords',
        `keywords must have at most ${MAX_KEYWORDS_CHARACTERS} characters together: they have ${characters}.`,
      );
}

function parseKeyword(text: unknown, index: number | null): string {
  const place = index === null ? 'keywords' : `keywords[${index}]`;
  return (
    toLine(text, MAX_KEYWORD_CHARACTERS) ??
    throwInvalid(
      place,
      `${index === null ? 'Each of keywords' : place} must be a text of 1 to ${MAX_KEYWORD_CHARACTERS} characters in one line, without control characters: it is ${describeValue(text)}.`,
    )
  );
}

/** The members that the metadata of the PDF and its file name come from. */
const RFC_3339 = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses a time (RFC 3339 §5.6) from 1970 on to milliseconds since 1970. */
export function parseNow(body: Body, name: string): number | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value.toUpperCase() : '';
  const day = RFC_3339.exec(text)?.[1];
  const now = day === undefined ? Number.NaN : Date.parse(text);
  // Date.parse() takes February 30 for March 2.
  const hasDay = new Date(text.slice(0, 10)).getUTCDate() === Number(day);
  if (now >= 0 && hasDay) return now;
  return throwUnexpected(
    name,
    'a time from 1970 on as RFC 3339 writes it, such as "2026-11-21T09:30:00Z"',
    value,
  );
}

/** Parses the name of a time zone to its canonical form: `europe/berlin` → `Europe/Berlin`. */
export function parseTimezone(body: Body, name: string, { maxLength = 0 }: OptionRow): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  // Intl accepts offsets such as +02:00 too; Chromium does not.
  const isName = typeof value === 'string' && value.length <= maxLength && /^[a-z]/i.test(value);
  return (
    (isName ? canonicalizeZone(value) : null) ??
    throwUnexpected(name, 'the name of a time zone (IANA), such as "Europe/Berlin"', value)
  );
}

function canonicalizeZone(timeZone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Parses a text of one line. Trims it, as Chromium does with a document's title. */
export function parseLine(body: Body, name: string, { maxLength = 0 }: OptionRow): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  return (
    toLine(value, maxLength) ??
    throwUnexpected(
      name,
      `a text of 1 to ${maxLength} characters in one line, without control characters`,
      value,
    )
  );
}

/** Parses a language tag (BCP 47) to its canonical form: `DE-at` → `de-AT`. */
export function parseLanguageTag(body: Body, name: string, { maxLength = 0 }: OptionRow): string | null {
  const value = getMember(body, name);
  if (value === undefined) return null;
  const isShort = typeof value === 'string' && value.length <= maxLength;
  return (
    (isShort ? canonicalizeTag(value) : null) ??
    throwUnexpected(name, 'a language tag (BCP 47), such as "de" or "pt-BR"', value)
  );
}

function canonicalizeTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** Parses a file name without folders or control characters. Appends `.pdf` if it is missing. */
export function parseFilename(body: Body, member: string, { maxLength = 0 }: OptionRow): string {
  const value = getMember(body, member) ?? 'document.pdf';
  const name = typeof value === 'string' ? value.trim() : '';
  if (!isName(name, maxLength))
    throwUnexpected(
      member,
      `a name of 1 to ${maxLength} characters without slashes or control characters, such as "invoice.pdf"`,
      value,
    );
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}
