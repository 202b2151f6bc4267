/** The settings of the server: its address, its start and end, its log, its callers. */
import { parseMonthlyQuotas } from './config-monthly-quotas.ts';
import { parseOperations } from './config-operations.ts';
import { optional, setting } from './config-setting.ts';
import { integer, oneOf, parseOrigin, parsePlans, parseText, parseTrustProxy } from './config-values.ts';

export const LISTENER_SETTINGS = {
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

export const SERVER_SETTINGS = {
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
    'name=limit or name=limit/slots list',
    parsePlans,
    'free=60,pro=600,business=6000',
    'The plans: requests per minute and key and, after the slash, documents that an account may render at once (1–256; it may make 8 times as many other requests at once). Without slots, the machine decides. New accounts get the first plan.',
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
