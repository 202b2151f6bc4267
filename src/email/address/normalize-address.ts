import { type MailboxRule, findMailboxRule } from './mailbox-rules.ts';
import { type MailAddress, parseLocalPart } from './parse-address.ts';
import { MAX_REPAIRED_LENGTH } from './paste-marks.ts';

interface LocalParts {
  user: string;
  /** The tag of a sub-address; null without one. */
  tag: string | null;
}

const TAG_SEPARATOR = '+';
const ASCII = /^[\0-\x7f]*$/;

/** Removes quotes, and splits at the first `+` (RFC 5233). A `+` at the start belongs to the name. */
export function splitLocalPart(address: MailAddress): LocalParts {
  return splitTag(unquote(address));
}

/**
 * Formats an address so that all addresses of one mailbox are equal, as far as its provider publishes which
 * they are: see `MAILBOX_RULES`. `hasTags`: the mail hosts of the domain belong to a provider that delivers
 * `name+tag` to `name`. Other local parts are kept. The domain is in A-labels and lower case; quotes only if
 * they are needed. The result is a valid address and its own normalized form.
 */
export function normalizeAddress(address: MailAddress, hasTags = false): string {
  const { domain } = address;
  if (domain === null) return `${address.localPart}@${address.literal.toLowerCase()}`;
  const local = unquote(address);
  return reduceAddress(local, domain, hasTags) ?? `${requote(local)}@${domain}`;
}

/** Returns the address of the mailbox; null if no rule applies or no name is left. */
function reduceAddress(local: string, domain: string, hasTags: boolean): string | null {
  const rule = findMailboxRule(domain);
  if (rule !== null) return reduceByRule(local, domain, rule);
  const parent = findSubdomainOwner(domain);
  if (parent !== null) return parent;
  return hasTags ? formatAddress(splitTag(local).user, domain) : null;
}

function reduceByRule(local: string, domain: string, rule: MailboxRule): string | null {
  // The names of these providers are ASCII. In others, removing a character could compose its neighbors.
  if (!ASCII.test(local)) return null;
  const name = (rule.hasTags ? splitTag(local).user : local).toLowerCase();
  return formatAddress(rule.foldName?.(name) ?? name, rule.mainDomain ?? domain);
}

/**
 * Returns `name@domain` for `name.domain`, if its provider delivers mail for it there. A hyphen in a name may
 * stand for an underscore (https://fastmail.com/blog/two-address-resolving-additions), so that is ambiguous.
 */
function findSubdomainOwner(domain: string): string | null {
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  const parent = domain.slice(dot + 1);
  if (name.includes('-') || findMailboxRule(parent)?.hasSubdomains !== true) return null;
  return `${name}@${parent}`;
}

/** Formats an address; null if the name is empty, or needs quotes and has no room for them. */
function formatAddress(name: string, domain: string): string | null {
  const local = requote(name);
  return typeof parseLocalPart(local) === 'string' ? null : `${local}@${domain}`;
}

function splitTag(local: string): LocalParts {
  const at = local.indexOf(TAG_SEPARATOR);
  return at <= 0 ? { user: local, tag: null } : { user: local.slice(0, at), tag: local.slice(at + 1) };
}

function unquote(address: MailAddress): string {
  return address.quoted ? address.localPart.slice(1, -1).replace(/\\(.)/g, '$1') : address.localPart;
}

const DOT_STRING = /^[^\s"(),:;<>@[\\\].]+(?:\.[^\s"(),:;<>@[\\\].]+)*$/;

function requote(local: string): string {
  return DOT_STRING.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`;
}

const SEPARATORS = /[._-]+/;
/** In shorter parts, a role is often a coincidence: `a.r@` has the initials of a person. */
const MIN_JOINED_PART = 3;

/**
 * Returns true if a local part without its sub-address names a function, not a person. `roles` are in lower
 * case, with hyphens. `customer_service` and `customer.service` match `customer-service` or
 * `customerservice`, and several roles make one: `sales_support`.
 */
export function isRole(user: string, roles: ReadonlySet<string>): boolean {
  const name = user.toLowerCase();
  if (roles.has(name)) return true;
  const parts = name.split(SEPARATORS);
  if (parts.length === 1 || parts.includes('')) return false;
  if (roles.has(parts.join('-')) || parts.every((part) => roles.has(part))) return true;
  return parts.every((part) => part.length >= MIN_JOINED_PART) && roles.has(parts.join(''));
}

/** Words for "no address" that people, and programs with a field to fill, write; without separators. */
const NOTHING: ReadonlySet<string> = new Set(
  'none noemail nomail noaddress noemailaddress noemailgiven notprovided notavailable donthave'.split(' '),
);
/** Words of examples and tests. Elsewhere they are names and functions: `test@acme.com` is a role. */
const EXAMPLES: ReadonlySet<string> = new Set(
  [
    'test testing tester testtest testuser user username name firstname yourname youremail myemail email',
    'example sample dummy fake fakeemail foo bar foobar abc abcd xyz asd qwe zxc no na nil null undefined',
    'noone whatever blah blahblah domain',
  ].flatMap((line) => line.split(' ')),
);
/** The first four or more keys of a row, once or twice, and three keys repeated. `azer` is a first name. */
const KEY_ROWS: ReadonlySet<string> = new Set(
  'qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm йцукенгшщзхъ фывапролджэ'
    .split(' ')
    .flatMap((row) => [
      ...Array.from({ length: row.length - 3 }, (_, more) => row.slice(0, 4 + more)).flatMap((keys) => [
        keys,
        keys.repeat(2),
      ]),
      row.slice(0, 3).repeat(2),
      row.slice(0, 3).repeat(3),
    ])
    .filter((keys) => keys !== 'azer'),
);
const ONE_CHARACTER = /^(.)\1*$/u;

/**
 * Returns true if a text was made up to fill a field: nothing (`none@`, `n/a`), the keys of a row
 * (`asdf@asdf.com`), or a word of examples at a domain of such a word or of its own name (`test@test.com`,
 * `a@a.com`). `owner`: the registrable domain. Sources: the lists of
 * https://github.com/search?q=%22noemail%40noemail.com%22&type=code
 */
export function isPlaceholder(text: string, owner: string | null): boolean {
  if (text.length > MAX_REPAIRED_LENGTH) return false;
  const at = text.lastIndexOf('@');
  const name = foldWord(at < 0 ? text : text.slice(0, at));
  if (NOTHING.has(name) || KEY_ROWS.has(name)) return true;
  if (!isExample(name)) return at > 0 && WEB_PREFIX.test(text);
  if (at < 0) return true;
  const label = foldWord((owner ?? text.slice(at + 1)).split('.', 1)[0] as string);
  // People at companies with a name of one letter have such addresses.
  return name === label || (isExample(label) && name.length > 2 && label.length > 2);
}

function isExample(word: string): boolean {
  return EXAMPLES.has(word) || ONE_CHARACTER.test(word) || NOTHING.has(word) || KEY_ROWS.has(word);
}

/** A web address typed as an email address: `www.ann@gmail.com`. */
const WEB_PREFIX = /^(?:https?:\/*)?www\.[^@]/i;
const WORD = /^[a-z0-9]*$/;
const LETTER_LAST = /[a-z]$/;

/** Converts a word to lower case without separators and the number that makes it unique: `No-Email2`. */
function foldWord(text: string): string {
  const lower = text.toLowerCase();
  const word = WORD.test(lower) ? lower : lower.replace(/[\s._/'"-]+/g, '');
  return LETTER_LAST.test(word) ? word : word.replace(/(?<=\D{3})\d{1,4}$/, '');
}
