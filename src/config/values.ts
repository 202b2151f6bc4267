/** The types and parsers of settings. */
import { availableParallelism } from 'node:os';
import { isIP } from 'node:net';

/** One row of the table of settings. */
export interface Setting<T> {
  /** The name of the environment variable. */
  env: string;
  /** The type as docs/operate/configuration.md shows it. */
  type: string;
  /** Parses the text of the variable. Throws an Error whose message completes the sentence "NAME …". */
  parse: (text: string) => T;
  /** The text that is parsed if the variable is unset or empty; null makes the value null. */
  default: string | null;
  /** The meaning, as docs/operate/configuration.md shows it. */
  sentence: string;
  /**
   * True if the value may also be in the file that `<env>_FILE` names, for secrets that a platform mounts.
   */
  secret?: true;
}

/** Creates a setting with a default. */
export function setting<T>(
  env: string,
  type: string,
  parse: (text: string) => T,
  fallback: string,
  sentence: string,
): Setting<T> {
  return { env, type, parse, default: fallback, sentence };
}

/** Creates a setting that is null if it is unset. */
export function optional<T>(
  env: string,
  type: string,
  parse: (text: string) => T,
  sentence: string,
): Setting<T | null> {
  return { env, type, parse, default: null, sentence };
}

/** Creates an optional setting that may also be in a file. */
export function secret(
  env: string,
  type: string,
  parse: (text: string) => string,
  sentence: string,
): Setting<string | null> {
  return { env, type, parse, default: null, sentence, secret: true };
}

// Parsers of the texts of settings. Each returns the value, or throws an Error whose message completes the
// sentence "NAME …".

interface ServerAddress {
  host: string;
  port: number;
}

/** The limits of a plan; `slots` is null if the machine decides. */
interface PlanValue {
  limitPerMinute: number;
  slots: number | null;
  weight?: number;
  /** Units per calendar month; undefined if they are not limited. */
  monthlyQuota?: number;
}

/** Parses a text of one line. */
export function parseText(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error('must not hold control characters');
  return text;
}

/** Parses the start of a key in Redis: a brace would change the slot of the key, a blank ends its name. */
export function parseKeyPrefix(text: string): string {
  if (!/^[\w:./-]{1,64}$/.test(text))
    throw new Error('must be 1 to 64 letters, digits and characters of _ : . / -');
  return text;
}

/** Parses the value of an HTTP header. */
export function parseHeaderValue(text: string): string {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new Error('must be printable ASCII');
  return text;
}

/** Returns a parser of whole numbers in a range. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function parseBoolean(text: string): boolean {
  const value = { true: true, '1': true, false: false, '0': false }[text.toLowerCase()];
  if (value === undefined) throw new Error('must be true or false');
  return value;
}

/** Parses a number from 0 to 1. */
export function parseRatio(text: string): number {
  const ratio = Number(text);
  if (!/^[01]?(?:\.\d+)?$/.test(text) || !(ratio >= 0 && ratio <= 1))
    throw new Error('must be a number from 0 to 1, such as 0.1');
  return ratio;
}

/** Returns a parser that accepts one of these texts. */
export function oneOf<const T extends string>(...choices: T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** Splits a list at its commas, without the blanks around its parts and without empty parts. */
function parseList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Parses the origin at which people reach the service. Its pages, cookies and links begin at `/`. */
export function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new Error('must be an http:// or https:// URL without credentials, query and fragment');
  if (url.pathname !== '/')
    throw new Error(
      `must have no path («${url.pathname}»): the service does not run below a path, because its pages and cookies begin at /. Give it a host name of its own, write only ${url.origin} or that name here, and let the proxy pass all of its paths`,
    );
  return url.origin;
}

/** Parses the URL of a page that a User-Agent names. */
export function parseContactUrl(text: string): string {
  const url = URL.parse(text);
  // In the comment of a User-Agent, these characters would end it or escape others.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[()\\]/.test(url.href))
    throw new Error('must be an http:// or https:// URL without credentials, parentheses and backslashes');
  return url.href;
}

/** Returns a parser of URLs with these protocols. The text is returned unchanged. */
export function urlWith(...protocols: string[]): (text: string) => string {
  return (text) => {
    const url = URL.parse(text);
    if (!url || !protocols.includes(url.protocol))
      throw new Error(
        `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    return text;
  };
}

/** Parses the issuer of an identity provider. Without TLS it is accepted on this machine only. */
export function parseIssuer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new Error('must be an https:// URL without credentials, query and fragment');
  if (url.protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname))
    throw new Error(
      'must be an https:// URL: http:// is accepted for a provider on this machine only, such as http://localhost:8080',
    );
  return text;
}

/** Parses the URLs of lists, without duplicates. A comma in a URL is written as %2C. */
export function parseListUrls(text: string): string[] {
  const parts = parseList(text);
  for (const part of parts) {
    const url = URL.parse(part);
    const isUsable = url && /^https?:$/.test(url.protocol) && /^(?:#reviewed)?$/.test(url.hash);
    if (!isUsable || url.username || url.password)
      throw new Error(
        `must be a comma-separated list of http:// or https:// URLs without credentials and with no fragment but #reviewed; «${quote(part)}» is not one (write a comma in a URL as %2C)`,
      );
  }
  return [...new Set(parts)];
}

/** Parses CIDR ranges into `address/prefix`; an address without a prefix is a range of one address. */
export function parseCidrs(text: string): string[] {
  return parseList(text).map((part) => {
    const [address = '', prefix, ...rest] = part.split('/');
    const family = isIP(address);
    const bits = family === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0') || length > bits)
      throw new Error(
        `must be a comma-separated list of CIDR ranges like 10.0.0.0/8 or fd00::/8; «${part}» is not one`,
      );
    return `${address}/${length}`;
  });
}

/** Parses `false`, or the CIDR ranges of trusted proxies. */
export function parseTrustProxy(text: string): false | string[] {
  return /^(false|0)$/i.test(text) ? false : parseCidrs(text);
}

/** Parses a list of ports, or `*` for all. */
export function parsePorts(text: string): number[] | '*' {
  if (text.trim() === '*') return '*';
  const parsePort = integer(1, 65535);
  return parseList(text).map((part) => {
    try {
      return parsePort(part);
    } catch {
      throw new Error(`must be * or a comma-separated list of ports from 1 to 65535; «${part}» is not one`);
    }
  });
}

/**
 * Parses DNS servers: `address`, `address:port` or `[IPv6 address]:port`. A name would need another DNS
 * server.
 */
export function parseDnsServers(text: string): ServerAddress[] {
  const parts = parseList(text);
  if (parts.length === 0) throw new Error('must name at least one IP address');
  return parts.map((part) => {
    const match = /^(?:\[([^\]]+)\]|([^:]+)|([0-9a-f:.]+:[0-9a-f:.]*))(?::(\d{1,5}))?$/i.exec(part);
    const bare = isIP(part) ? part : undefined;
    const host = bare ?? match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
    const port = bare ? 53 : Number(match?.[4] ?? 53);
    if (isIP(host) === 0 || port < 1 || port > 65535)
      throw new Error(
        `must be a comma-separated list of IP addresses, each with :port if it is not 53; «${part}» is not one`,
      );
    return { host, port };
  });
}

const PLAN_FORM = 'name=limit/slots*weight (1–999), the last two optional, like free=60/2,pro=600*4';

/**
 * Parses plans in the order given: `name=requests per minute`, then optionally `/browser slots`, `*weight`.
 */
export function parsePlans(text: string): ReadonlyMap<string, PlanValue> {
  const plans = new Map<string, PlanValue>();
  for (const part of parseList(text)) {
    const [, name, limit, slots, weight] =
      /^([a-z][a-z0-9_-]{0,31})=(\d{1,9})(?:\/(\d{1,9}))?(?:\*([1-9]\d{0,2}))?$/.exec(part) ?? [];
    if (!name) throw new Error(`must be ${PLAN_FORM}; «${quote(part)}» is not`);
    if (plans.has(name)) throw new Error(`names the plan ${name} twice; write each plan once`);
    if (Number(limit) < 1)
      throw new Error(`must allow at least 1 request per minute; «${part}» does not: write ${name}=60`);
    if (slots !== undefined && (Number(slots) < 1 || Number(slots) > 256))
      throw new Error(
        `must allow 1 to 256 browser slots after the slash; «${part}» does not: write ${name}=${limit}/2, or ${name}=${limit} to derive them from the machine`,
      );
    const plan = { limitPerMinute: Number(limit), slots: slots === undefined ? null : Number(slots) };
    plans.set(name, weight === undefined ? plan : { ...plan, weight: Number(weight) });
  }
  if (plans.size === 0) throw new Error(`names no plan; write ${PLAN_FORM}`);
  return plans;
}

/** Returns a text in a form that fits into one line of a message. */
function quote(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/**
 * Parses a count, or `auto`: one per core, one to use while another waits, and one that stays free for other
 * accounts.
 */
export function parseSlots(text: string): number {
  if (text === 'auto') return Math.min(256, availableParallelism() + 2);
  try {
    return integer(1, 256)(text);
  } catch {
    throw new Error(`must be auto or a whole number from 1 to 256; «${quote(text)}» is not`);
  }
}

const TLS_MODES = ['disable', 'no-verify', 'require', 'verify-full'];
const DATABASE_PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'application_name',
  'options',
];

/**
 * Parses the URL of a PostgreSQL database. The text is returned unchanged. Messages do not contain it: it has
 * a password. Parameters that would be ignored are refused.
 */
export function parseDatabaseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new Error(
      'must be a URL like postgres://user:password@host:5432/database (in the password, write @ as %40, : as %3A and / as %2F)',
    );
  if (url.hostname === '' && !url.searchParams.get('host'))
    throw new Error('must name the host of the server');
  if (!/^\/[^/@]+$/.test(url.pathname))
    throw new Error('must name the database after the host, like postgres://host/database');
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !TLS_MODES.includes(mode))
    throw new Error(`must have one of these as sslmode: ${TLS_MODES.join(', ')}; «${quote(mode)}» is not`);
  for (const name of url.searchParams.keys())
    if (!DATABASE_PARAMETERS.includes(name))
      throw new Error(
        `must have no other parameters than ${DATABASE_PARAMETERS.join(', ')}; «${quote(name)}» is one`,
      );
  for (const part of [url.username, url.password, url.pathname]) assertDecodable(part);
  return text;
}

function assertDecodable(part: string): void {
  try {
    decodeURIComponent(part);
  } catch {
    throw new Error('must have its user, password and database percent-encoded (a % is written as %25)');
  }
}

/** Name the files of a CA, and of the certificate of this client with its key. */
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'];
const TIMEOUT_PARAMETER = 'limits_timeout_ms';

/**
 * Parses the URL of a Redis server. The text is returned unchanged. Messages do not contain it: it has a
 * password. Parameters that would be ignored are refused.
 */
export function parseRedisUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^rediss?:$/.test(url.protocol))
    throw new Error('must be a URL that starts with redis:// or rediss://');
  if (url.hostname === '') throw new Error('must name the host of the server');
  if (!/^\/?\d{0,9}$/.test(url.pathname))
    throw new Error('must have nothing but the number of a database after the host, like redis://host/1');
  for (const part of [url.username, url.password]) assertRedisUrlDecodable(part);
  const names = [...url.searchParams.keys()].filter((name) => name !== TIMEOUT_PARAMETER);
  const other = names.find((name) => !FILE_PARAMETERS.includes(name));
  if (other !== undefined)
    throw new Error(
      `must have no other parameters than ${[...FILE_PARAMETERS, TIMEOUT_PARAMETER].join(', ')}; «${quote(other)}» is one`,
    );
  const timeoutMs = url.searchParams.get(TIMEOUT_PARAMETER);
  // Longer, and a request waits longer for an outage than for anything else.
  if (timeoutMs !== null && !(/^[1-9]\d{2,3}$/.test(timeoutMs) && Number(timeoutMs) <= 2000))
    throw new Error(`must have a ${TIMEOUT_PARAMETER} of 100 to 2000`);
  if (names.length > 0 && url.protocol !== 'rediss:')
    throw new Error(`must start with rediss:// (TLS) to have ${names.join(', ')}`);
  if (url.searchParams.has('sslcert') !== url.searchParams.has('sslkey'))
    throw new Error('must have sslcert and sslkey together');
  return text;
}

function assertRedisUrlDecodable(part: string): void {
  try {
    decodeURIComponent(part);
  } catch {
    throw new Error('must have its user and password percent-encoded (a % is written as %25)');
  }
}

const NAMES = ['email', 'metadata', 'pdf'] as const;

/** An operation with its batch, by the name that OPERATIONS gives it. */
type ServedOperation = (typeof NAMES)[number];

/** Parses names of operations, each at most once and at least one. */
export function parseOperations(text: string): ReadonlySet<ServedOperation> {
  const served = new Set<ServedOperation>();
  for (const part of parseList(text)) {
    const name = NAMES.find((candidate) => candidate === part);
    if (name === undefined)
      throw new Error(
        `must be a comma-separated list of ${NAMES.join(', ')}; «${part.replace(/\s+/g, ' ').slice(0, 60)}» is not one of them`,
      );
    if (served.has(name)) throw new Error(`names ${name} twice; write each operation once`);
    served.add(name);
  }
  if (served.size === 0)
    throw new Error(
      `names no operation; write one or more of ${NAMES.join(', ')}, or leave it unset for all`,
    );
  return served;
}

const QUOTA_FORM = 'plan=units, separated by commas, like free=10000,pro=500000';

/** Parses quotas, `plan=units per month`. */
export function parseMonthlyQuotas(text: string): ReadonlyMap<string, number> {
  const quotas = new Map<string, number>();
  for (const part of parseList(text)) {
    const [, name, units] = /^([a-z][a-z0-9_-]{0,31})=(\d{1,12})$/.exec(part) ?? [];
    if (!name) throw new Error(`must be ${QUOTA_FORM}; «${quote(part)}» is not`);
    if (quotas.has(name)) throw new Error(`names the plan ${name} twice; write each plan once`);
    if (Number(units) < 1)
      throw new Error(
        `must allow at least 1 unit per month; «${part}» does not: leave out plans without a quota`,
      );
    quotas.set(name, Number(units));
  }
  if (quotas.size === 0) throw new Error(`names no plan; write ${QUOTA_FORM}`);
  return quotas;
}

/** Returns the plans with their quotas. Throws an Error if there is a quota of a plan that does not exist. */
export function addMonthlyQuotas(
  plans: ReadonlyMap<string, PlanValue>,
  quotas: ReadonlyMap<string, number>,
): ReadonlyMap<string, PlanValue> {
  for (const name of quotas.keys())
    if (!plans.has(name))
      throw new Error(
        `names the plan ${name}, which PLANS does not: use one of ${[...plans.keys()].join(', ')}`,
      );
  return new Map(
    [...plans].map(([name, plan]) => {
      const monthlyQuota = quotas.get(name);
      return [name, monthlyQuota === undefined ? plan : { ...plan, monthlyQuota }];
    }),
  );
}
