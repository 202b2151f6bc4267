/** Every environment variable of the service: name, type, default, one sentence. */
import {
  integer,
  oneOf,
  optional,
  parseBoolean,
  parseCidrs,
  parseContactUrl,
  parseDatabaseUrl,
  parseDnsServers,
  parseHeaderValue,
  parseIssuer,
  parseKeyPrefix,
  parseListUrls,
  parseMonthlyQuotas,
  parseOperations,
  parseOrigin,
  parsePlans,
  parsePorts,
  parseRatio,
  parseRedisUrl,
  parseSlots,
  parseText,
  parseTrustProxy,
  secret,
  setting,
  urlWith,
} from './values.ts';

// The server: its address, its start and end, its log, its callers.
const LISTENER_SETTINGS = {
  host: setting(
    'HOST',
    'address',
    parseText,
    '127.0.0.1',
    'The address to listen on; 0.0.0.0 or :: for every interface.',
  ),
  port: setting('PORT', '0–65535', integer(0, 65535), '3000', 'The port to listen on; 0 selects a free one.'),
  metricsPort: optional(
    'METRICS_PORT',
    '0–65535',
    integer(0, 65535),
    'The port of /metrics, in the format of Prometheus; 0 selects a free one. If unset, nothing is measured.',
  ),
  metricsHost: setting(
    'METRICS_HOST',
    'address',
    parseText,
    '127.0.0.1',
    'The address of METRICS_PORT. There is no key: open it to the network of Prometheus only.',
  ),
} as const;

const SERVER_SETTINGS = {
  publicUrl: optional(
    'PUBLIC_URL',
    'URL',
    parseOrigin,
    'The address at which people reach the service, without a path: it needs a host name of its own. Links in emails begin with it, and if it is https, cookies are Secure. If unset, links begin with the address that the service listens on.',
  ),
  operations: setting(
    'OPERATIONS',
    'list of email, metadata, pdf',
    parseOperations,
    'email,metadata,pdf',
    'The operations that this process serves, with their batches; the paths of the others are 404. Without pdf, and without metadata or with META_RENDER=false, no browser starts.',
  ),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    '0–600000',
    integer(0, 600_000),
    '0',
    'How long the service keeps accepting connections after SIGTERM, while /readyz is already 503 and each response closes its connection, in milliseconds. Behind a load balancer: longer than it takes to notice.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'level',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'How much is logged: info has a line for every request, warn only those of failures, debug also the probes of /healthz and /readyz. Lines that standard output does not accept (full disk, stalled reader) are dropped and counted.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'false or CIDR list',
    parseTrustProxy,
    'false',
    'Proxies whose X-Forwarded-For header is used; the header of all other clients is ignored.',
  ),
  plans: setting(
    'PLANS',
    'name=limit/slots*weight list',
    parsePlans,
    // Ten times the requests weigh four times as much: 50 free accounts together less than four businesses.
    'free=60*1,pro=600*4,business=6000*16',
    'The plans: requests per minute and key; after `/`, documents that an account may render at once (1–256; it may make 8 times as many other requests at once), else the machine decides; after `*`, its weight beside others (1–999), else its slots. New accounts get the first plan.',
  ),
  monthlyQuotas: optional(
    'MONTHLY_QUOTAS',
    'plan=units list',
    parseMonthlyQuotas,
    'Requests per calendar month (UTC) and account of these plans, as the rate limit counts them: a batch counts one per item. The owner gets an email at 80% and at 100%. Plans that it does not name have no quota.',
  ),
  adminCommand: optional(
    'ADMIN_COMMAND',
    'command',
    parseText,
    'The command line for operators as the first steps in the log name it, if it is run in another way than from this folder: docker exec utility-api admin, for example.',
  ),
  unauthenticatedPerMinute: setting(
    'UNAUTHENTICATED_PER_MINUTE',
    '1–1000000',
    integer(1, 1_000_000),
    '600',
    'Requests per minute without a valid key, per client address (IPv6: per /64).',
  ),
} as const;

// Where state is stored: the folder of the embedded database, PostgreSQL, Redis.

const STORAGE_SETTINGS = {
  dataDir: setting(
    'DATA_DIR',
    'folder',
    parseText,
    './data',
    'The folder of the embedded database, which contains the generated secrets; npm run admin -- backup makes backups of it.',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    'postgres:// URL',
    parseDatabaseUrl,
    'The PostgreSQL database (15 or newer) to use in place of the embedded one, as postgres://user:password@host:5432/database. TLS: add ?sslmode=verify-full (require means the same), no-verify or disable, and sslrootcert=<file> for the certificate of a CA of your own.',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '1–500',
    integer(1, 500),
    '10',
    'Connections of this process to PostgreSQL at most; finding keys and watching their changes takes three more.',
  ),
  databaseStatementTimeoutMs: setting(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    '100–600000',
    integer(100, 600_000),
    '5000',
    'How long a statement of PostgreSQL may take, or wait for a lock, in milliseconds; then the request fails with 503.',
  ),
  databaseStartTimeoutMs: setting(
    'DATABASE_START_TIMEOUT_MS',
    '0–600000',
    integer(0, 600_000),
    '30000',
    'How long a start waits for PostgreSQL if it cannot be reached, in milliseconds; then the process ends with exit code 1. 0: it does not wait.',
  ),
  redisUrl: secret(
    'REDIS_URL',
    'redis:// or rediss:// URL',
    parseRedisUrl,
    'The Redis (7 or newer) or Valkey server that replicas share: rate limits, throttles of sign-in and mails, cached metadata. With rediss:// (TLS), ?sslrootcert=<file> names the certificate of a CA of your own, sslcert and sslkey those of this client. ?limits_timeout_ms=250 (100–2000) is the time after which a replica decides without it. If unset, they are kept in memory, for one process.',
  ),
  redisPrefix: setting(
    'REDIS_PREFIX',
    'text',
    parseKeyPrefix,
    'utility-api:',
    'The start of each key and channel in Redis; installations that share a server need different ones.',
  ),
} as const;

// The way to the network: DNS servers, what may be contacted, how many requests run in parallel.

const cidrs = 'CIDR list';

const EGRESS_SETTINGS = {
  dnsServers: optional(
    'DNS_SERVERS',
    'host[:port] list',
    parseDnsServers,
    'The DNS servers to query, as IP addresses; if unset, those of the system.',
  ),
  egressAllowCidrs: setting(
    'EGRESS_ALLOW_CIDRS',
    cidrs,
    parseCidrs,
    '',
    'Non-public ranges (private networks, this machine’s own addresses) that may be contacted, on all ports.',
  ),
  egressDenyCidrs: setting(
    'EGRESS_DENY_CIDRS',
    cidrs,
    parseCidrs,
    '',
    'Ranges that are not contacted, even if they are public or in EGRESS_ALLOW_CIDRS.',
  ),
  egressPorts: setting(
    'EGRESS_PORTS',
    'port list or *',
    parsePorts,
    '80,443,8080,8443',
    'The ports of public addresses that may be contacted.',
  ),
  egressConnectionsPerHost: setting(
    'EGRESS_CONNECTIONS_PER_HOST',
    '1–1000',
    integer(1, 1000),
    '6',
    'Connections at once to one target host, shared fairly between accounts; one account may use all but one.',
  ),
  egressContactUrl: optional(
    'EGRESS_CONTACT_URL',
    'URL',
    parseContactUrl,
    'A page that says who runs this service and how to reach them, for the owners of the sites that it fetches: it is named in the User-Agent.',
  ),
  egressUserAgent: optional(
    'EGRESS_USER_AGENT',
    'text',
    parseHeaderValue,
    'The whole User-Agent header of the service’s requests, in place of Mozilla/5.0 (compatible; UtilityAPIbot/1.0; +EGRESS_CONTACT_URL); name a contact in it.',
  ),
} as const;

// The operations: metadata, lists of domains, the browser, PDF, request bodies.

const OPERATION_SETTINGS = {
  metaCacheTtlSeconds: setting(
    'META_CACHE_TTL_SECONDS',
    '0–86400',
    integer(0, 86_400),
    '600',
    'How long a metadata result is kept for requests of its account with max_age, in seconds; 0 turns the cache off.',
  ),
  metaRender: setting(
    'META_RENDER',
    'boolean',
    parseBoolean,
    'true',
    'Whether metadata requests may render pages in the browser, in the places of PDF_SLOTS; if false, render=true and render=auto are refused.',
  ),
  disposableListUrls: setting(
    'DISPOSABLE_LIST_URL',
    'URL list',
    parseListUrls,
    '',
    'Lists of disposable domains, separated by commas, fetched daily in addition to the built-in list; if unset, none is fetched. What only one of them names is suspected, not disposable, unless its URL ends in #reviewed.',
  ),
  emailAllowDomainsFile: optional(
    'EMAIL_ALLOW_DOMAINS',
    'file',
    parseText,
    'A file of domains that are never disposable, one per line; read again when it changes.',
  ),
  emailBlockDomainsFile: optional(
    'EMAIL_BLOCK_DOMAINS',
    'file',
    parseText,
    'A file of domains that are always disposable, one per line; read again when it changes.',
  ),
  chromiumPath: optional(
    'CHROMIUM_PATH',
    'file',
    parseText,
    'The Chromium headless shell to use; if unset, an installed one, else the one that npm start unpacked into its cache, else an installed Chrome or Chromium.',
  ),
  chromiumCacheDir: optional(
    'CHROMIUM_CACHE',
    'folder',
    parseText,
    'The folder into which the setup unpacks the browser, fonts and Node; if unset, /var/cache/utility-api or, without root, the user’s cache folder.',
  ),
  pdfSlots: setting(
    'PDF_SLOTS',
    '1–256 or auto',
    parseSlots,
    'auto',
    'Documents for PDF, and pages for metadata with render, that are rendered at once; auto is the number of cores + 2. One account may use all but one.',
  ),
  pdfTimeoutMs: setting(
    'PDF_TIMEOUT_MS',
    '1000–300000',
    integer(1000, 300_000),
    '30000',
    'How long the render of one PDF may take, in milliseconds. The render of a page ends with the timeout of its metadata request.',
  ),
  pdfRendererMemoryMb: setting(
    'PDF_RENDERER_MEMORY_MB',
    '128–65536',
    integer(128, 65_536),
    '1200',
    'Memory that one renderer, of a PDF or a page, may use before it is killed, in megabytes.',
  ),
  pdfProcessPerDocument: setting(
    'PDF_PROCESS_PER_DOCUMENT',
    'boolean',
    parseBoolean,
    'false',
    'Whether each document is rendered in a process of its own. If false, documents of one API key may share one, one after the other; set it if documents of one key must be kept from one another.',
  ),
  pdfRequireSandbox: setting(
    'PDF_REQUIRE_SANDBOX',
    'boolean',
    parseBoolean,
    'false',
    'Whether PDF requests are refused if Chromium cannot run in its sandbox. If false, they are served and a warning is logged.',
  ),
  bodyMemoryMb: setting(
    'BODY_MEMORY_MB',
    '64–4096',
    integer(64, 4096),
    '192',
    'Memory for request bodies in flight, in megabytes; a body that does not fit is refused with 429 or 503, one that never fits with 413.',
  ),
} as const;

// Accounts: who may create one, what visitors see, and the mails to account holders.

const ACCOUNT_SETTINGS = {
  signups: optional(
    'SIGNUPS',
    'open, invite or closed',
    oneOf('open', 'invite', 'closed'),
    'Who may create an account in the dashboard; if unset, `closed` if PUBLIC_URL is set and SMTP_URL is not, else `open`.',
  ),
  frontDoor: setting(
    'FRONT_DOOR',
    'true or false',
    parseBoolean,
    'true',
    'Visitors who are not signed in see a page about the service at `/`; if false, the sign-in page.',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    'smtp:// or smtps:// URL',
    urlWith('smtp:', 'smtps:'),
    'The mail server for verification and password links; if unset, links are written to the log.',
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'address',
    parseText,
    'Utility API <utility-api@localhost>',
    'The sender of these emails.',
  ),
  oidcIssuer: optional(
    'OIDC_ISSUER',
    'https:// URL',
    parseIssuer,
    'The identity provider of single sign-on (OpenID Connect), as its discovery document names itself.',
  ),
  oidcClientId: optional(
    'OIDC_CLIENT_ID',
    'text',
    parseText,
    'The name of this service at the identity provider.',
  ),
  oidcClientSecret: secret(
    'OIDC_CLIENT_SECRET',
    'text',
    parseText,
    'The secret of this service at the identity provider.',
  ),
  oidcName: setting(
    'OIDC_NAME',
    'text',
    parseText,
    'Single sign-on',
    'The name of the identity provider on the sign-in page.',
  ),
} as const;

// Traces. OpenTelemetry defines their names and meanings.

const TRACE_SETTINGS = {
  otelEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'URL',
    urlWith('http:', 'https:'),
    'The collector of traces, such as http://127.0.0.1:4318; spans are posted to /v1/traces below it (http/protobuf). If unset, nothing is traced. The SDK of OpenTelemetry reads its other variables itself: OTEL_EXPORTER_OTLP_… (HEADERS, TIMEOUT, COMPRESSION, CERTIFICATE), OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_BSP_….',
  ),
  otelSamplerRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '0–1',
    parseRatio,
    '1',
    'The part of the requests that is traced: the sampler is parentbased_traceidratio, so the decision of a trusted proxy counts first.',
  ),
} as const;

/** In the order of docs/operate/configuration.md. */
export const SETTINGS = {
  ...LISTENER_SETTINGS,
  ...STORAGE_SETTINGS,
  ...SERVER_SETTINGS,
  ...EGRESS_SETTINGS,
  ...OPERATION_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...TRACE_SETTINGS,
} as const;
