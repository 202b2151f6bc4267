/** The parsers of single options, besides those of sheets, texts and files. */
import { type Encryption, PERMISSIONS, type Permission } from '../finish/finishing.ts';
import {
  type Body,
  describeValue,
  formatChoices,
  getMember,
  parseLine,
  parseName,
  type Rules,
  throwInvalid,
  throwUnexpected,
} from '#options';

const MAX_PAGE = 100_000;

/**
 * Parses the pages to print. Returns them without spaces, as Page.printToPDF takes them: `1-3,5`, `4-`. Null
 * if the syntax is wrong, a page is 0, or a range descends.
 */
export function parsePageRanges(text: string): string | null {
  const ranges = text.split(',').map((range) => range.trim());
  return ranges.every(isRange) ? ranges.map((range) => range.replace(/\s+/g, '')).join(',') : null;
}

function isRange(range: string): boolean {
  const match = /^(\d{1,6})(\s*-\s*(\d{1,6})?)?$/.exec(range);
  if (!match) return false;
  const first = Number(match[1]);
  const last = match[3] === undefined ? MAX_PAGE : Number(match[3]);
  return first >= 1 && first <= last && last <= MAX_PAGE;
}

/** Parses the URL of the document. The messages do not show what may be secret in it. */
export function parseBaseUrl(text: string, _row: Rules, name: string): string {
  const url = URL.parse(text);
  let fault = null;
  if (url === null) fault = `is ${describeValue(text)}`;
  else if (url.username !== '' || url.password !== '') fault = 'has credentials';
  else if (/^https?:$/.test(url.protocol)) return url.href;
  else fault = `begins with ${JSON.stringify(url.protocol.slice(0, 40))}`;
  return throwInvalid(name, `${name} must be ${BASE_URL}: it ${fault}.`);
}

/** The rule of `base_url`, for messages. */
export const BASE_URL = 'an absolute http:// or https:// URL without credentials';

/** The condition that a render waits for after the document has loaded. */
type WaitFor = { selector: string } | { milliseconds: number };

/** The longest time that `wait_for` may name. */
export const MAX_WAIT_MS = 10_000;

/** A number with or without a unit. No CSS selector begins with a digit. */
const DURATION = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*(?:m?s|msecs?|secs?|milliseconds?|seconds?)?\s*$/i;
/** A whole number of milliseconds, for clients whose `wait_for` is a text. */
const MILLISECONDS = /^(\d{1,5})(?:ms)?$/;

/** Parses a selector, or a time as a number or as a text such as `500ms`. */
export function parseWaitFor(value: unknown, { maxLength = 0 }: Rules, name: string): WaitFor {
  const text = typeof value === 'string' ? value : '';
  const milliseconds = Number(
    typeof value === 'number' ? value : (MILLISECONDS.exec(text)?.[1] ?? Number.NaN),
  );
  if (Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds <= MAX_WAIT_MS)
    return { milliseconds };
  const expected = `a whole number of milliseconds from 0 to ${MAX_WAIT_MS}`;
  if (DURATION.test(text))
    return throwInvalid(name, `${name} must be ${expected} to wait for a time, such as 2000.`);
  if (text.trim() !== '') return { selector: text };
  return throwUnexpected(name, `a CSS selector of at most ${maxLength} characters, or ${expected}`, value);
}

/** Parses the name of a time zone to its canonical form: `europe/berlin` → `Europe/Berlin`. */
export function parseTimezone(text: string): string | null {
  // Intl accepts offsets such as +02:00 too; Chromium does not.
  if (!/^[a-z]/i.test(text)) return null;
  return askIntl(() => new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone);
}

/** Parses a language tag (BCP 47) to its canonical form: `DE-at` → `de-AT`. */
export function parseLanguageTag(text: string): string | null {
  return askIntl(() => Intl.getCanonicalLocales(text)[0] ?? null);
}

/** Returns null if Intl refuses a value. */
function askIntl(ask: () => string | null): string | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

/** Parses a text that is not blank. */
export function parseNotBlank(text: string): string | null {
  return text.trim() === '' ? null : text;
}

/** Checks that no archive is encrypted (ISO 19005-3 §6.1.3). Throws `invalid_parameter`. */
export function checkMayEncrypt(encryption: Encryption | null, archive: 'pdfa' | 'facturx'): void {
  if (encryption === null) return;
  const param = encryption.password === null ? 'owner_password' : 'password';
  throwInvalid(
    param,
    `${param} cannot be combined with ${archive}: PDF/A excludes encryption. Leave one of them out.`,
  );
}

/** UTF-8 bytes of a password (ISO 32000-2 §7.6.4.3.3). */
const MAX_PASSWORD_BYTES = 127;

/** Parses the passwords of the PDF and what is allowed without the owner's; null if it is not encrypted. */
export function parseEncryption(body: Body): Encryption | null {
  const password = parsePassword(body, 'password');
  const ownerPassword = parsePassword(body, 'owner_password');
  const permissions = parsePermissions(body);
  // Generated Java clients send an empty array for each array that is not set. With a password, it is meant.
  const isUnset = permissions === null || (permissions.length === 0 && password === null);
  if (!isUnset && ownerPassword === null)
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
  const bytes = typeof value === 'string' ? Buffer.byteLength(value.normalize('NFC'), 'utf8') : 0;
  if (typeof value !== 'string' || bytes === 0 || bytes > MAX_PASSWORD_BYTES) {
    // Without the value: what was sent as a password is one.
    const received = typeof value === 'string' ? `has ${bytes}` : 'is no string';
    throwInvalid(
      name,
      `${name} must be a text of 1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8: it ${received}.`,
    );
  }
  return (
    normalizePassword(value) ??
    throwInvalid(
      name,
      `${name} has characters that PDF readers treat differently, such as invisible ones: send letters, digits, signs and single emoji.`,
    )
  );
}

function parsePermissions(body: Body): readonly Permission[] | null {
  const value = getMember(body, 'permissions');
  if (value === undefined) return null;
  const choices = formatChoices(PERMISSIONS);
  if (!Array.isArray(value)) return throwUnexpected('permissions', `an array of ${choices}`, value);
  const unknown = value.findIndex((one) => !PERMISSIONS.includes(one as Permission));
  if (unknown !== -1) throwUnexpected(`permissions[${unknown}]`, choices, value[unknown]);
  return PERMISSIONS.filter((one) => value.includes(one));
}

const MAX_KEYWORD_CHARACTERS = 1_000;
/** Characters of all keywords together. */
const MAX_KEYWORDS_CHARACTERS = 4_000;

/** Parses keywords: an array, or a text that separates them with commas or semicolons. */
export function parseKeywords(value: unknown, { maxItems = 0 }: Rules, name: string): readonly string[] {
  const isText = typeof value === 'string';
  const texts: unknown = isText ? value.split(/[,;]/).filter((text) => text.trim() !== '') : value;
  if (!Array.isArray(texts) || texts.length > maxItems || (isText && texts.length === 0)) {
    const expected = `an array of at most ${maxItems} texts, or a text that separates them with commas`;
    return throwUnexpected(name, expected, value);
  }
  const keywords = texts.map((text: unknown, index) => {
    const keyword = typeof text === 'string' ? parseLine(text) : null;
    if (keyword !== null && keyword.length <= MAX_KEYWORD_CHARACTERS) return keyword;
    const expected = `a text of 1 to ${MAX_KEYWORD_CHARACTERS} characters in one line, without control characters`;
    return throwUnexpected(isText ? name : `${name}[${index}]`, expected, text);
  });
  const characters = keywords.reduce((sum, { length }) => sum + length, 0);
  if (characters > MAX_KEYWORDS_CHARACTERS)
    throwInvalid(name, `${name} must have at most ${MAX_KEYWORDS_CHARACTERS} characters together.`);
  return keywords;
}

const RFC_3339 = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses a time (RFC 3339 §5.6) from 1970 on to milliseconds since 1970. */
export function parseNow(text: string): number | null {
  const upper = text.toUpperCase();
  const day = RFC_3339.exec(upper)?.[1];
  const now = day === undefined ? Number.NaN : Date.parse(upper);
  // Date.parse() takes February 30 for March 2.
  const hasDay = new Date(text.slice(0, 10)).getUTCDate() === Number(day);
  return now >= 0 && hasDay ? now : null;
}

/** Parses a file name. Appends `.pdf` if it is missing. */
export function parseFilename(text: string): string | null {
  const name = parseName(text.trim());
  return name === null || /\.pdf$/i.test(name) ? name : `${name}.pdf`;
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
