/** A server whose parts fail as the real ones do when the service has a fault, or no capacity left. */
import { ApiError } from '#errors';
import { createServer, MAX_PDF_BODY_BYTES, type ServerDeps } from '#http';
import {
  type ShareHolder,
  type Shares,
  computeCapacities,
  createMemoryWindowCounter,
  createShares,
} from '#limits';
import { NO_TRACING } from '#telemetry';
import { pino } from 'pino';
import { NO_OBSERVER } from '../support/no-observer.ts';

export interface FaultyServer extends AsyncDisposable {
  /** Sends a call to a server that throws an error of its own. */
  failInternally: (path: string, init: RequestInit) => Promise<Response>;
  /** Sends a call to a server all of whose places are held by other accounts. */
  overload: (path: string, init: RequestInit) => Promise<Response>;
  /** Sends a call to a server whose database does not respond. */
  failDatabase: (path: string, init: RequestInit) => Promise<Response>;
}

const caller = {
  keyId: 'key',
  limitId: 'key',
  accountId: 'account',
  plan: 'business',
  operations: null,
  clientNetworks: null,
  limitPerMinute: 6000,
  slots: null,
};

export async function openFaultyServer(): Promise<FaultyServer> {
  const fail = (): never => {
    throw new TypeError('a fault of the program');
  };
  const full = createFullShares();
  const take: ServerDeps['validateEmail'] = (_request, holder) => {
    full.take('emailRequests', holder, 1);
    return fail();
  };
  const servers = {
    failInternally: await openServer({ authenticate: fail, validateEmail: fail }, createFreeShares()),
    overload: await openServer({ validateEmail: take }, full),
    failDatabase: await openServer(
      {
        validateEmail: fail,
        authenticate: () => Promise.reject(new ApiError('unavailable', undefined, { retryAfterSeconds: 30 })),
      },
      createFreeShares(),
    ),
  };
  const send =
    (url: string) =>
    (path: string, { headers = {}, ...init }: RequestInit): Promise<Response> =>
      fetch(url + path, { ...init, headers: { ...(headers as object), 'x-api-key': 'key' } });
  return {
    failInternally: send(servers.failInternally.url),
    overload: send(servers.overload.url),
    failDatabase: send(servers.failDatabase.url),
    [Symbol.asyncDispose]: async () => {
      for (const { close } of Object.values(servers)) await close();
    },
  };

  async function openServer(changes: Partial<ServerDeps>, shares: Shares) {
    const server = await createServer({
      authenticate: async () => caller,
      findCaller: () => null,
      findAccountId: () => null,
      keyWindows: createMemoryWindowCounter(),
      addressWindows: createMemoryWindowCounter(),
      unauthenticatedPerMinute: 1000,
      now: Date.now,
      validateEmails: fail,
      getMetadata: fail,
      canRender: true,
      generatePdf: fail,
      recordUsage: () => {},
      readParts: async () => ({}),
      isDraining: () => false,
      shares,
      logger: pino({ level: 'silent' }),
      requestObserver: NO_OBSERVER,
      version: '0.0.0',
      tracing: NO_TRACING,
      trustProxy: false,
      ...changes,
    });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    return { url, close: () => server.close() };
  }
}

function createFreeShares(): Shares {
  return createShares({
    capacities: computeCapacities({ pdfSlots: 2, egressConnections: 8, bodyMemoryMb: 96 }),
    maxBodyBytes: MAX_PDF_BODY_BYTES,
    now: Date.now,
  });
}

/** Returns shares all of whose places for requests are held by other accounts, each within its share. */
function createFullShares(): Shares {
  const shares = createFreeShares();
  for (const kind of ['emailRequests', 'metadataRequests', 'pdfRequests'] as const) {
    for (let account = 0; ; account += 1) {
      const holder: ShareHolder = { accountId: `${kind} ${account}`, slots: null };
      try {
        shares.take(kind, holder, 1);
      } catch {
        break;
      }
    }
  }
  return shares;
}
