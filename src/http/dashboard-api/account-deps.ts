import type { AccountStore, KeyAuthenticator, KeyStore, Operation, Plans } from '#accounts';
import type { AccessContext, Session } from '#accounts/sign-in';
import type { ShareCapacities, WindowCounter } from '#limits';
import type { UsageStore } from '#usage';

/** Dependencies of the dashboard's endpoints. */
export interface AccountDeps {
  access: AccessContext;
  accounts: AccountStore;
  keys: KeyStore;
  usage: UsageStore;
  /** The lists of domains, which administrators see. */
  lists: DomainListStates;
  /** Returns the health of every part, which administrators see. */
  loadHealth: () => Promise<SystemHealth>;
  plans: Plans;
  /** The capacities of this process, for the shares that plans show. */
  capacities: ShareCapacities;
  /** The operations that this process serves. */
  operations: readonly Operation[];
  /** The use of every key's rate limit. */
  keyWindows: WindowCounter;
  /** Returns a one-use ticket that is accepted in place of a key whose secret is not known here. */
  issueTicket: KeyAuthenticator['issueTicket'];
  /** True if emails are sent; otherwise their links are in the log. */
  canSendMail: boolean;
  /** True if visitors who are not signed in see the front door at `/`. */
  hasFrontDoor: boolean;
  /** PUBLIC_URL, or null if the Host of the request is used. */
  publicUrl: string | null;
  now: () => number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a request on routes that need one; null elsewhere. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    /** The users who may call a route under /account; by default, any signed-in user. */
    audience?: 'anyone' | 'administrators';
    /** True if a route under /account reads its body itself, after its own checks. */
    readsOwnBody?: boolean;
    /** True if a route under /account may be opened from a page of another site, as by a provider. */
    acceptsNavigation?: boolean;
  }
}

/**
 * The lists of domains, as the dashboard shows them. The types are declared here and not imported: the types
 * of these routes are also compiled for the dashboard, without the modules that implement them.
 */
interface DomainListStates {
  getStatus(): readonly DomainListState[];
  /** Uses the list that this source offers. Resolves to false if it offers none. */
  accept(source: string): Promise<boolean>;
}

/** The state of one list. */
export interface DomainListState {
  kind: 'bundled' | 'fetched' | 'allowed' | 'blocked';
  /** The URL or the path of the list; '' for the bundled one. */
  source: string;
  entries: number;
  suspected: number | null;
  updatedAtMs: number | null;
  dropped: { malformed: number; public_suffix: number; never_disposable: number } | null;
  refresh: {
    atMs: number;
    outcome: 'replaced' | 'unchanged' | 'accepted' | 'offered' | 'refused' | 'failed';
    reason: string | null;
  } | null;
  offered: { entries: number; fetchedAtMs: number } | null;
}

/**
 * The health of the service, as administrators see it. The types are declared here and not imported: the
 * types of these routes are also compiled for the dashboard.
 */
export interface SystemHealth {
  status: 'ready' | 'unavailable' | 'draining';
  version: string;
  nodeVersion: string;
  startedAtMs: number;
  memoryBytes: number;
  uncaughtErrors: number;
  /** The delay of the event loop, within a sample of a fraction of a second. */
  eventLoop: { p50Ms: number; p99Ms: number; maxMs: number };
  database: PartHealth & { kind: 'SQLite' | 'PostgreSQL'; bytes: number | null };
  /** Null without Redis. */
  redis: (PartHealth & { replicas: number }) | null;
  /** Null if the process renders nothing. */
  browser: BrowserHealth | null;
  dns: { servers: readonly string[] };
  /** True if emails are sent; otherwise their links are in the log. */
  sendsMail: boolean;
  lists: { lists: number; failed: number; entries: number; refreshedAtMs: number | null };
  /** The places that all accounts share: how many there are and are in use, and how many requests wait. */
  queues: readonly { kind: string; capacity: number; held: number; queued: number }[];
  usage: { unwrittenSinceMs: number | null; bufferedRows: number; lostRows: number };
  droppedLogLines: number;
}

/** The state of a part; `reason` says why it does not work. */
interface PartHealth {
  ok: boolean;
  reason: string | null;
}

interface BrowserHealth extends PartHealth {
  version: string | null;
  sandbox: boolean;
  network: string;
  slots: number;
  busy: number;
  queued: number;
}
