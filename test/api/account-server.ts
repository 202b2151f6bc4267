/** The service's server with the real store, sign-in and limits, and operations that respond at once. */
import { argon2Sync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createKeyAuthenticator, OPERATIONS, type Plans } from '#accounts';
import { createAccess, type Mail, type OidcOptions } from '#accounts/sign-in';
import { ApiError } from '#errors';
import { createServer, MAX_PDF_BODY_BYTES, type ServerDeps, type SystemHealth } from '#http';
import { computeCapacities, createMemoryWindowCounter, createShares } from '#limits';
import { openStorage } from '#storage';
import { createUsageRecorder } from '#usage';
import { NO_TRACING } from '#telemetry';
import { shiftClock } from '../support/shift-clock.ts';
import { insertAccount } from '../../src/accounts/sign-in/sign-up.ts';
import { registerAccountRoutes } from '../../src/http/dashboard-api/register-account-routes.ts';
import { NO_OBSERVER } from '../support/no-observer.ts';

export const PASSWORD = 'correct horse battery';

const CAPACITIES = computeCapacities({ pdfSlots: 4, egressConnections: 512, bodyMemoryMb: 96 });

/** The shares of the plans of this server: `free` sets two slots, `pro` has those of a machine with four. */
export const FREE_SHARES = { browser_slots: 2, other_requests: 16, page_connections: 16, body_megabytes: 96 };
export const PRO_SHARES = {
  browser_slots: 3,
  other_requests: 1789,
  page_connections: 255,
  body_megabytes: 96,
};

const HEALTH: SystemHealth = {
  status: 'ready',
  version: '1.2.3',
  nodeVersion: 'v26.0.0',
  startedAtMs: 0,
  memoryBytes: 1,
  uncaughtErrors: 0,
  eventLoop: { p50Ms: 0, p99Ms: 0.5, maxMs: 1 },
  database: { ok: true, reason: null, kind: 'SQLite', bytes: 4096 },
  redis: null,
  browser: null,
  dns: { servers: ['127.0.0.1:53'] },
  sendsMail: false,
  lists: { lists: 1, failed: 0, entries: 2, refreshedAtMs: null },
  queues: [{ kind: 'browserPages', capacity: 4, held: 1, queued: 0 }],
  usage: { unwrittenSinceMs: null, bufferedRows: 0, lostRows: 0 },
  droppedLogLines: 0,
};

const silent: FastifyBaseLogger = {
  level: 'silent',
  child: () => silent,
  ...Object.fromEntries(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [level, () => {}]),
  ),
} as unknown as FastifyBaseLogger;

export interface AccountServerOptions {
  signups?: 'open' | 'invite' | 'closed';
  plans?: Plans;
  publicUrl?: string;
  oidc?: OidcOptions;
  oidcTimeoutMs?: number;
  /** The URL of the service, which a provider sends browsers back to. */
  origin?: string;
  trustProxy?: string[];
  /** These replace operations that respond at once. */
  generatePdf?: ServerDeps['generatePdf'];
  getMetadata?: ServerDeps['getMetadata'];
  validateEmails?: ServerDeps['validateEmails'];
  lists?: NonNullable<ServerDeps['account']>['lists'];
}

/** Returns the same store, whose methods all fail while `outage` is on. */
function cutOff<T extends object>(store: T, outage: { isOn: boolean }): T {
  return new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function' || name === 'authDatabase') return member;
      return (...args: unknown[]): unknown =>
        outage.isOn
          ? Promise.reject(new ApiError('unavailable', undefined, { retryAfterSeconds: 30 }))
          : Reflect.apply(member, target, args);
    },
  });
}

export type AccountServer = Awaited<ReturnType<typeof startAccountServer>>;

/** Starts on a database of its own; until it closes, `clock.shiftMs` moves the time of this process. */
export async function startAccountServer(options: AccountServerOptions = {}) {
  const clock = shiftClock();
  const now = Date.now;
  const plans: Plans =
    options.plans ??
    new Map([
      ['free', { limitPerMinute: 60, slots: 2 }],
      ['pro', { limitPerMinute: 600, slots: null }],
    ]);
  const dataDir = await mkdtemp(join(tmpdir(), 'account-'));
  const outage = { isOn: false };
  const stored = await openStorage({ dataDir });
  const { authDatabase } = stored.access;
  const storage = {
    ...stored,
    accounts: cutOff(stored.accounts, outage),
    keys: cutOff(stored.keys, outage),
    usage: cutOff(stored.usage, outage),
    access: cutOff(
      {
        ...stored.access,
        authDatabase: (options: Parameters<typeof authDatabase>[0]) => cutOff(authDatabase(options), outage),
      },
      outage,
    ),
  };
  const keys = createKeyAuthenticator({ store: storage.keys, plans, now });
  storage.onKeyChange((accountId) => keys.forget(accountId));
  const mails: Mail[] = [];
  const errors: unknown[] = [];
  const access = await createAccess({
    store: storage.access,
    accounts: storage.accounts,
    plans,
    signups: options.signups ?? 'open',
    sendMail: async (mail) => mails.push(mail) > 0,
    oidc: options.oidc ?? null,
    oidcTimeoutMs: options.oidcTimeoutMs,
    getOrigin: () => options.origin ?? 'http://service.localhost',
    now,
    onError: (error) => errors.push(error),
  });
  const recorder = createUsageRecorder({ store: storage.usage, now });
  const seen: unknown[] = [];
  const keyWindows = createMemoryWindowCounter();
  const shares = createShares({
    capacities: CAPACITIES,
    maxBodyBytes: MAX_PDF_BODY_BYTES,
    now,
  });
  const app = await createServer({
    authenticate: keys.authenticate,
    findCaller: keys.findCaller,
    findAccountId: keys.findAccountId,
    keyWindows,
    addressWindows: createMemoryWindowCounter(),
    unauthenticatedPerMinute: 600,
    now,
    validateEmail: async (request: { email: string }) => {
      seen.push(request);
      return {
        email: request.email,
        valid: true,
        disposable: false,
        mxFound: true,
        formatValid: true,
        didYouMean: null,
        domain: 'example.com',
        freeProvider: false,
      };
    },
    validateEmails: options.validateEmails ?? (async () => []),
    getMetadata:
      options.getMetadata ??
      (async () => {
        throw new Error('not used here');
      }),
    canRender: true,
    generatePdf:
      options.generatePdf ??
      (async (request: unknown) => {
        seen.push(request);
        return { pdf: Buffer.from('%PDF-1.7 test'), pages: 3, warnings: [] };
      }),
    recordUsage: recorder.record,
    readParts: async () => ({}),
    isDraining: () => false,
    shares,
    logger: silent,
    requestObserver: NO_OBSERVER,
    version: '0.0.0',
    tracing: NO_TRACING,
    trustProxy: options.trustProxy ?? false,
  } as unknown as Parameters<typeof createServer>[0]);
  const routes: [method: string, path: string][] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push([one, url]);
  });
  await registerAccountRoutes(app, {
    access,
    accounts: storage.accounts,
    keys: storage.keys,
    usage: storage.usage,
    lists: options.lists ?? { getStatus: () => [], accept: async () => false },
    loadHealth: async () => HEALTH,
    plans,
    capacities: CAPACITIES,
    keyWindows,
    issueTicket: keys.issueTicket,
    operations: OPERATIONS,
    canSendMail: false,
    hasFrontDoor: true,
    publicUrl: options.publicUrl ?? null,
    now,
  });
  await app.ready();

  async function close(): Promise<void> {
    await app.close();
    await recorder.close();
    access.close();
    await storage.close();
    clock.shiftMs = 0;
    clock.stoppedMs = null;
    await rm(dataDir, { recursive: true });
  }

  return {
    app,
    shares,
    outage,
    routes,
    access,
    storage,
    keys,
    recorder,
    mails,
    errors,
    seen,
    clock,
    now,
    dataDir,
    close,
  };
}

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it expects
  body: any;
  text: string;
  headers: Record<string, string | string[] | number | undefined>;
}

/** Opens a browser with its own cookies, at an address of its own. */
export function openBrowser({ app }: AccountServer, remoteAddress = '203.0.113.1') {
  const cookies = new Map<string, string>();

  async function send(
    method: string,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      remoteAddress,
      headers: {
        host: 'service.localhost',
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Test Browser',
        ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: answer.statusCode,
      body: isJson && answer.body !== '' ? JSON.parse(answer.body) : null,
      text: answer.body,
      headers: answer.headers,
    };
  }

  return {
    address: remoteAddress,
    cookies,
    send,
    get: (url: string, headers?: Record<string, string>) => send('GET', url, undefined, headers),
    post: (url: string, body: unknown = {}, headers?: Record<string, string>) =>
      send('POST', url, body, headers),
    patch: (url: string, body: unknown) => send('PATCH', url, body),
    delete: (url: string, body?: unknown) => send('DELETE', url, body),
  };
}

export type Browser = ReturnType<typeof openBrowser>;

/** The hash of PASSWORD with the least work, where that of the service takes 30 ms of a core. */
const WEAK_HASH = formatWeakHash(PASSWORD);

/**
 * Signs up and in. Where sign-up is open, the account is created as by a sign-up, with a weak hash: its
 * sign-ins take no time, because a hash is compared with its own parameters.
 */
export async function openSignedIn(server: AccountServer, email: string, address?: string): Promise<Browser> {
  if (server.access.signups !== 'open') return openSignedInByRequests(server, email, address);
  const browser = openBrowser(server, address);
  const client = {
    address: browser.address,
    ip: browser.address,
    userAgent: 'Test Browser',
    isSecure: false,
    requestId: 'req_of_sign_up',
    cookie: '',
  };
  await server.access.throttle.consumeRequest(client.address);
  await insertAccount(server.access, { email, passwordHash: WEAK_HASH }, client);
  return signInOrFail(browser, email);
}

/** Signs up and in by requests alone: for tests of the time that they take. */
export async function openSignedInByRequests(
  server: AccountServer,
  email: string,
  address?: string,
): Promise<Browser> {
  const browser = openBrowser(server, address);
  await browser.post('/account/sign-up', { email, password: PASSWORD });
  return signInOrFail(browser, email);
}

async function signInOrFail(browser: Browser, email: string): Promise<Browser> {
  const { status } = await browser.post('/account/sign-in', { email, password: PASSWORD });
  if (status !== 200) throw new Error(`sign-in answered ${status}`);
  return browser;
}

function formatWeakHash(password: string): string {
  const nonce = Buffer.from('salt of the tests');
  const work = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...work });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}
