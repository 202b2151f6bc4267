/**
 * The names that each module of `src/` may use. A module is a folder of `src/` or a file at its root. Use of
 * a name that is not listed is a violation. The rows do not depend on paths inside a module.
 */

/** The names that one module may use. */
export interface ModuleRule {
  /** Modules it may import, by their `#name` without the `#`; `#name/part` follows the row of `name`. */
  modules: readonly string[] | typeof ALL;
  /** Modules of which it may import only types. */
  typesOf?: readonly string[];
  /** Packages and Node's modules: all of one, these exports of it, or its types. */
  packages?: Readonly<Record<string, typeof ALL | typeof TYPES | readonly string[]>>;
  /** Globals besides PURE_GLOBALS: a name (`setTimeout`) or one use of it (`process.pid`, `Date.now`). */
  globals?: readonly string[];
}

export const ALL = 'all';
export const TYPES = 'types';

const OPERATIONS = ['email', 'metadata', 'pdf'] as const;
const TIMERS = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
] as const;
/** The steady clock: for durations and deadlines, with no relation to the time of day. */
const STOPWATCH = ['performance.now'] as const;
/** The time of day. All other modules receive it as `now`. */
const CLOCK = ['Date.now'] as const;

export const RULES: Readonly<Record<string, ModuleRule>> = {
  // Imported by all.
  errors: { modules: [] },
  options: { modules: ['errors'] },
  html: { modules: [], packages: { entities: ['decodeHTMLAttribute'] } },
  concurrency: {
    modules: [],
    packages: {
      'node:module': ['getCompileCacheDir'],
      'node:path': ALL,
      'node:v8': ['getHeapStatistics'],
      'node:worker_threads': ALL,
    },
    globals: [...TIMERS, ...STOPWATCH, 'process.threadCpuUsage'],
  },
  // Answers /metrics on a port of its own. The SDK of OpenTelemetry connects to the operator's collector.
  // `app/` passes to it what the parts report.
  telemetry: {
    modules: [],
    packages: {
      pino: ALL,
      'prom-client': ALL,
      '@opentelemetry/api': ALL,
      '@opentelemetry/exporter-trace-otlp-proto': ALL,
      '@opentelemetry/resources': ALL,
      '@opentelemetry/sdk-trace': ALL,
      'node:async_hooks': ['AsyncLocalStorage'],
      'node:fs': ['write', 'writeSync'],
      'node:http': ['createServer'],
      'node:net': TYPES,
      'node:os': ['hostname'],
    },
    globals: [
      ...TIMERS,
      ...STOPWATCH,
      'performance.timeOrigin',
      'process.pid',
      'process.stdout',
      'process.once',
      'Atomics',
      'SharedArrayBuffer',
    ],
  },

  // The operations: no other operation, no socket, no clock. They receive such functions as arguments.
  email: {
    modules: ['errors', 'options', 'concurrency'],
    packages: {
      'lru-cache': ALL,
      tldts: ALL,
      tr46: ALL,
      'node:crypto': ['hash'],
      'node:fs': ['readFileSync'],
      'node:fs/promises': ALL,
      'node:path': ALL,
      'node:timers/promises': ALL,
    },
    globals: ['process.pid'],
  },
  metadata: {
    modules: ['errors', 'options', 'html', 'concurrency'],
    packages: {
      chardet: ALL,
      'entities/decode': ALL,
      'image-dimensions': ALL,
      'lru-cache': ALL,
      'node:buffer': ALL,
      'node:crypto': ['hash'],
      'oembed-providers': ALL,
      'sanitize-html': ALL,
      // Reads feeds, SVG and oEmbed.
      saxes: ALL,
      tldts: ['getDomain'],
    },
    globals: [...TIMERS],
  },
  pdf: {
    modules: ['browser', 'concurrency', 'errors', 'html', 'options'],
    packages: {
      '@cantoo/pdf-lib': ALL,
      entities: ALL,
      // Imported in threads of its own only (src/pdf/liquid/).
      liquidjs: ALL,
      'lru-cache': ALL,
      'devtools-protocol': TYPES,
      'node:crypto': ['createCipheriv', 'createHash', 'hash', 'randomBytes'],
      'node:zlib': ALL,
      // Reads the XML of electronic invoices.
      saxes: ALL,
    },
    globals: [...TIMERS],
  },

  // Modules that the operations use.
  browser: {
    modules: ['errors', 'concurrency'],
    typesOf: ['metadata'],
    packages: {
      'lru-cache': ALL,
      'devtools-protocol': TYPES,
      'devtools-protocol/types/protocol-mapping.d.ts': TYPES,
      'node:buffer': ALL,
      'node:child_process': ['spawn'],
      'node:crypto': ['randomUUID'],
      'node:fs': ALL,
      'node:fs/promises': ALL,
      'node:os': ['getPriority', 'homedir', 'platform', 'setPriority', 'tmpdir'],
      'node:path': ALL,
      'node:stream': TYPES,
    },
    globals: [...TIMERS, 'process.getuid', 'process.kill', 'process.pid'],
  },
  // Implements the functions that the operations and the browser declare.
  egress: {
    modules: ['concurrency', 'errors'],
    typesOf: ['email', 'metadata', 'browser'],
    packages: {
      'lru-cache': ALL,
      tldts: ALL,
      undici: ALL,
      'node:crypto': ['randomInt'],
      'node:dgram': ALL,
      'node:dns': ['getServers'],
      'node:net': ALL,
      'node:os': ['networkInterfaces'],
      'node:tls': ALL,
      'node:zlib': ALL,
    },
    globals: [...TIMERS, ...STOPWATCH],
  },
  accounts: {
    modules: ['concurrency', 'errors'],
    packages: {
      // Its plugin of OpenID Connect contacts the operator's identity provider, outside the guard of egress.
      'better-auth/api': ['createAuthEndpoint', 'getOAuthState'],
      'better-auth/cookies': ['setSessionCookie'],
      'better-auth/minimal': ALL,
      'better-auth/plugins/generic-oauth': ALL,
      'better-auth/plugins/two-factor': ALL,
      'better-auth/types': TYPES,
      'lru-cache': ALL,
      nodemailer: ALL,
      'node:crypto': ALL,
      // The address of an identity provider's response, in callbacks that do not get the request.
      'node:async_hooks': ['AsyncLocalStorage'],
      'node:net': ['BlockList', 'isIP'],
      'node:util': ALL,
      'node:zlib': ['crc32'],
    },
    globals: [...TIMERS],
  },
  // Waits a bounded time for units that other replicas return, and for the total of an account.
  limits: { modules: ['errors', 'concurrency'], globals: [...TIMERS] },
  usage: {
    modules: ['errors', 'concurrency'],
    packages: { 'node:timers/promises': ALL },
    globals: [...TIMERS],
  },
  storage: {
    modules: ['errors'],
    typesOf: ['accounts', 'metadata', 'usage', 'limits'],
    packages: {
      'better-auth/adapters': ALL,
      'better-auth/types': TYPES,
      ioredis: ALL,
      'ioredis/built/connectors/StandaloneConnector.js': ALL,
      'lru-cache': ALL,
      kysely: ALL,
      'kysely/migration': ALL,
      // The file of the embedded database, its lock, its backups; certificates of servers.
      'node:crypto': ['createHash', 'createHmac', 'hash', 'randomBytes'],
      'node:fs': ['existsSync', 'readFileSync'],
      'node:fs/promises': ALL,
      'node:path': ALL,
      'node:sqlite': ALL,
      'node:timers/promises': ALL,
      pg: ALL,
      'pg-connection-string': ALL,
    },
    // The time of day only as the default of a parameter.
    globals: [...TIMERS, ...STOPWATCH, 'process.getuid'],
  },

  // Entry points.
  http: {
    modules: [...OPERATIONS, 'accounts', 'limits', 'usage', 'concurrency', 'errors', 'options'],
    typesOf: ['telemetry'],
    packages: {
      fastify: ALL,
      '@fastify/static': ALL,
      '@fastify/swagger': ALL,
      '@modelcontextprotocol/server': ALL,
      'lru-cache': ALL,
      typebox: ALL,
      'typebox/schema': ALL,
      // Tells injected requests what they are injected for.
      'node:async_hooks': ['AsyncLocalStorage'],
      'node:crypto': ['hash', 'randomBytes', 'randomUUID', 'timingSafeEqual'],
      'node:fs': ['existsSync'],
      'node:fs/promises': ['readFile'],
      'node:http': ['IncomingMessage', 'METHODS', 'STATUS_CODES'],
      'node:net': ['isIP', 'isIPv6', 'Server'],
      // A name of this machine, which a stranger's DNS cannot use.
      'node:os': ['hostname'],
      'node:path': ALL,
      'node:stream': ALL,
      'node:timers/promises': ALL,
    },
    // Request: what the MCP SDK takes.
    globals: [...TIMERS, ...STOPWATCH, 'Request'],
  },
  cli: {
    modules: [...OPERATIONS, 'accounts', 'limits', 'usage', 'storage', 'config', 'errors'],
    packages: {
      // Says that a folder has no database before one is created in it.
      'node:fs': ['statSync'],
      // Asks the service that runs beside it for its state.
      'node:http': ['get'],
      'node:path': ['resolve'],
      'node:util': ['parseArgs'],
    },
    globals: [...CLOCK, 'process.argv', 'process.exitCode', 'process.stderr', 'process.stdout'],
  },

  // The configuration, and what connects all modules.
  config: {
    modules: ['errors'],
    packages: {
      'node:fs': ['existsSync', 'readFileSync'],
      'node:net': ['isIP'],
      'node:os': ['availableParallelism'],
      // The name of the command line in messages depends on where the sources are.
      'node:path': ['resolve'],
      'node:url': ['fileURLToPath'],
    },
    globals: ['process.env'],
  },
  app: {
    modules: ALL,
    packages: {
      fastify: TYPES,
      'node:net': TYPES,
      'node:path': ALL,
      // The health that administrators see.
      'node:perf_hooks': ['monitorEventLoopDelay'],
      'node:timers/promises': ALL,
      'node:url': ALL,
    },
    globals: [...TIMERS, ...STOPWATCH, ...CLOCK, 'process.memoryUsage', 'process.version'],
  },
  main: {
    modules: ['app', 'config', 'telemetry'],
    packages: { 'close-with-grace': ALL, 'node:path': ALL },
    globals: [
      ...CLOCK,
      'console',
      'process.exit',
      'process.listeners',
      'process.off',
      'process.on',
      'process.removeAllListeners',
    ],
  },
};

/** Packages, globals and modules that only these modules may use. Checked against the rows above. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  '#config': ['app', 'cli', 'main'],
  '#storage': ['app', 'cli'],
  'process.env': ['config'],
  'Date.now': ['app', 'cli', 'main'],
  'node:child_process': ['browser'],
  'node:worker_threads': ['concurrency'],
  'devtools-protocol': ['browser', 'pdf'],
  'node:dgram': ['egress'],
  'node:dns': ['egress'],
  'node:tls': ['egress'],
  undici: ['egress'],
  nodemailer: ['accounts'],
  'node:sqlite': ['storage'],
  ioredis: ['storage'],
  'ioredis/built/connectors/StandaloneConnector.js': ['storage'],
  kysely: ['storage'],
  pg: ['storage'],
  'pg-connection-string': ['storage'],
  'better-auth/api': ['accounts'],
  'better-auth/cookies': ['accounts'],
  'better-auth/minimal': ['accounts'],
  'better-auth/plugins/generic-oauth': ['accounts'],
  'better-auth/plugins/two-factor': ['accounts'],
  'better-auth/adapters': ['storage'],
  fastify: ['app', 'http'],
  '@fastify/static': ['http'],
  '@fastify/swagger': ['http'],
  '@modelcontextprotocol/server': ['http'],
  pino: ['telemetry'],
  '@opentelemetry/api': ['telemetry'],
  '@opentelemetry/exporter-trace-otlp-proto': ['telemetry'],
  '@opentelemetry/resources': ['telemetry'],
  '@opentelemetry/sdk-trace': ['telemetry'],
  'node:async_hooks': ['accounts', 'http', 'telemetry'],
  'prom-client': ['telemetry'],
};

/** Globals that depend only on their arguments. Their uses in IMPURE_USES need a row. */
export const PURE_GLOBALS: ReadonlySet<string> = new Set(
  [
    'undefined NaN Infinity arguments',
    'Array ArrayBuffer Boolean BigInt DataView Error EvalError RangeError SyntaxError TypeError AggregateError',
    'Float64Array Int32Array Uint8Array Uint16Array Uint32Array Intl JSON Map Math Number Object Promise Proxy',
    'Reflect RegExp Set String Symbol WeakMap WeakRef WeakSet Date',
    'AbortController AbortSignal Buffer Headers TextDecoder TextEncoder URL URLSearchParams',
    'decodeURIComponent encodeURIComponent structuredClone queueMicrotask atob btoa isNaN isFinite',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Uses of a pure global that read a clock, start a timer, draw a random number, or pass on a function that
 * does.
 */
export const IMPURE_USES: ReadonlySet<string> = new Set(
  [
    ['Date', 'Date.now', 'Date[…]', 'Date()', 'new Date()'],
    ['Math', 'Math.random', 'Math[…]'],
    ['AbortSignal', 'AbortSignal.timeout', 'AbortSignal[…]'],
  ].flat(),
);
