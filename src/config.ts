/**
 * Every environment variable of the service: name, type, default, one sentence. docs/configuration.md is made from this table.
 * Nothing else reads process.env; only app.ts and main.ts read a Config.
 */
import { readFileSync } from 'node:fs';
import {
  parsePlans,
  parseSlots,
  readBoolean,
  readCidrs,
  readDnsServers,
  readHeaderValue,
  readHttpUrl,
  readInteger,
  readOneOf,
  readPorts,
  readText,
  readTrustProxy,
  readUrl,
} from './config-values.ts';

/** One row of the table. `default` is the text that is read when the variable is unset or empty; null makes the value null. */
export interface Setting<T> {
  env: string;
  type: string;
  read: (text: string) => T;
  default: string | null;
  sentence: string;
  /** Also read from the file that `<env>_FILE` names, for secrets that a platform mounts. */
  secret?: true;
}

function setting<T>(
  env: string,
  type: string,
  read: (text: string) => T,
  fallback: string,
  sentence: string,
): Setting<T> {
  return { env, type, read, default: fallback, sentence };
}

function optional<T>(
  env: string,
  type: string,
  read: (text: string) => T,
  sentence: string,
): Setting<T | null> {
  return { env, type, read, default: null, sentence };
}

function secret(
  env: string,
  type: string,
  read: (text: string) => string,
  sentence: string,
): Setting<string | null> {
  return { env, type, read, default: null, sentence, secret: true };
}

const cidrs = 'CIDR list';

export const SETTINGS = {
  host: setting(
    'HOST',
    'address',
    readText,
    '127.0.0.1',
    'The address to listen on; 0.0.0.0 or :: for every interface.',
  ),
  port: setting(
    'PORT',
    '0–65535',
    readInteger(0, 65535),
    '3000',
    'The port to listen on; 0 takes a free one.',
  ),
  dataDir: setting(
    'DATA_DIR',
    'folder',
    readText,
    './data',
    'Where the embedded database and generated secrets live; back this folder up.',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    'URL',
    readHttpUrl,
    'The address under which people reach the service: links in mails begin with it, and behind https cookies are Secure; unset, links begin with the address that the service listens on.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'level',
    readOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'How much is logged: debug adds a line for every request. If standard output takes no more lines (full disk, stalled reader), they are dropped and counted.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    `false or ${cidrs}`,
    readTrustProxy,
    'false',
    'Proxies whose X-Forwarded-For is believed; anyone else’s is ignored.',
  ),
  plans: setting(
    'PLANS',
    'name=limit or name=limit/slots list',
    parsePlans,
    'free=60,pro=600,business=6000',
    'The plans: requests per minute and key and, after the slash, documents that an account may render at once (1–256; it may make 8 times as many other requests at once). Without slots, the machine decides. The first is the plan of new accounts.',
  ),
  unauthenticatedPerMinute: setting(
    'UNAUTHENTICATED_PER_MINUTE',
    '1–1000000',
    readInteger(1, 1_000_000),
    '600',
    'Requests without a good key that one address (IPv6: one /64) may make in a minute.',
  ),
  dnsServers: optional(
    'DNS_SERVERS',
    'host[:port] list',
    readDnsServers,
    'The DNS servers to ask, as IP addresses; unset, those of the system.',
  ),
  egressAllowCidrs: setting(
    'EGRESS_ALLOW_CIDRS',
    cidrs,
    readCidrs,
    '',
    'Ranges that are not public (private networks, this machine’s own addresses) and may be fetched from, on all ports; none by default.',
  ),
  egressDenyCidrs: setting(
    'EGRESS_DENY_CIDRS',
    cidrs,
    readCidrs,
    '',
    'Ranges that are never contacted, public or opened.',
  ),
  egressPorts: setting(
    'EGRESS_PORTS',
    'port list or *',
    readPorts,
    '80,443,8080,8443',
    'The ports of public addresses that may be contacted.',
  ),
  egressConnectionsPerHost: setting(
    'EGRESS_CONNECTIONS_PER_HOST',
    '1–1000',
    readInteger(1, 1000),
    '6',
    'Connections to one target host at a time, shared fairly between accounts; one account uses all but one of them at most.',
  ),
  egressConnections: setting(
    'EGRESS_CONNECTIONS',
    '2–100000',
    readInteger(2, 100_000),
    '512',
    'Connections over all target hosts at a time, half of them for pages; past it fetches wait a moment, then are 503.',
  ),
  egressUserAgent: setting(
    'EGRESS_USER_AGENT',
    'text',
    readHeaderValue,
    'Mozilla/5.0 (compatible; UtilityAPIbot/1.0)',
    'How the service names itself to the pages that it fetches.',
  ),
  metaCacheTtlSeconds: setting(
    'META_CACHE_TTL_SECONDS',
    '0–86400',
    readInteger(0, 86_400),
    '0',
    'The longest that a metadata answer is kept; a target’s own freshness may shorten it; 0 keeps none.',
  ),
  disposableListUrl: optional(
    'DISPOSABLE_LIST_URL',
    'URL',
    readUrl('https:', 'http:'),
    'A list of disposable domains, one a line, fetched daily on top of the built-in one; unset, nothing is fetched.',
  ),
  chromiumPath: optional(
    'CHROMIUM_PATH',
    'file',
    readText,
    'The Chromium headless shell to use; unset, the system’s chromium-headless-shell or the one that npm start put into its cache.',
  ),
  chromiumCacheDir: optional(
    'CHROMIUM_CACHE',
    'folder',
    readText,
    'The folder into which the set-up unpacks browser and fonts; unset, /var/cache/utility-api or, without root, the user’s cache folder.',
  ),
  pdfSlots: setting(
    'PDF_SLOTS',
    '1–256 or auto',
    parseSlots,
    'auto',
    'Documents rendered at once; auto is the number of cores + 2. One account uses at most all but one.',
  ),
  pdfTimeoutMs: setting(
    'PDF_TIMEOUT_MS',
    '1000–300000',
    readInteger(1000, 300_000),
    '30000',
    'The longest that a render may take, in milliseconds.',
  ),
  pdfRendererMemoryMb: setting(
    'PDF_RENDERER_MEMORY_MB',
    '128–65536',
    readInteger(128, 65_536),
    '1200',
    'The memory that one renderer may use before it is ended, in megabytes.',
  ),
  pdfRequireSandbox: setting(
    'PDF_REQUIRE_SANDBOX',
    'boolean',
    readBoolean,
    'false',
    'Whether PDFs are refused where Chromium cannot run in its sandbox; otherwise the log says so, loudly.',
  ),
  bodyMemoryMb: setting(
    'BODY_MEMORY_MB',
    '64–4096',
    readInteger(64, 4096),
    '96',
    'Memory for request bodies in flight, in megabytes; a body that does not fit is refused with 429 or 503.',
  ),
  signups: setting(
    'SIGNUPS',
    'open, invite or closed',
    readOneOf('open', 'invite', 'closed'),
    'open',
    'Who may create an account in the dashboard.',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    'smtp:// or smtps:// URL',
    readUrl('smtp:', 'smtps:'),
    'The mail server for verification and password links; unset, links are written to the log.',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'address',
    readText,
    'Utility API <utility-api@localhost>',
    'The sender of these mails.',
  ),
} as const;

/** The settings as typed values, by camelCase name. */
export type Config = {
  [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> | NullOf<(typeof SETTINGS)[K]>;
};
type NullOf<S> = S extends Setting<infer T> ? (null extends T ? null : never) : never;

/** All that is wrong with the environment, one sentence for each bad value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Reads the whole configuration, or throws a ConfigError that names every bad value. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, row]) => {
    try {
      const text = readSource(row, env) ?? row.default;
      return [name, text === null ? null : row.read(text)];
    } catch (error) {
      problems.push(`${row.env} ${(error as Error).message}.`);
      return [name, null];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as Config;
}

function readSource(row: Setting<unknown>, env: Readonly<Record<string, string | undefined>>): string | null {
  const direct = env[row.env]?.trim();
  if (direct) return direct;
  const file = row.secret ? env[`${row.env}_FILE`] : undefined;
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    throw new Error(`cannot be read: the file that ${row.env}_FILE names does not exist or may not be read`);
  }
}
