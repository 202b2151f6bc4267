import type { AccountStore, KeyAuthenticator, KeyStore, Operation, Plans } from '#accounts';
import type { AccessContext, Session } from '#accounts/sign-in';
import type { ShareCapacities, WindowCounter } from '#limits';
import type { UsageStore } from '#usage';
import type { DomainListStates } from './domain-list-states.ts';
import type { SystemHealth } from './system-health.ts';

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
