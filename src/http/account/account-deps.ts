import type { AccountStore, KeyAuthenticator, KeyStore, Plans } from '#accounts';
import type { AccessContext, Session } from '#accounts/sign-in';
import type { WindowCounter } from '#ratelimit';
import type { ShareCapacities } from '#shares';
import type { UsageStore } from '#usage';

/** What the endpoints of the dashboard work on. */
export interface AccountDeps {
  access: AccessContext;
  accounts: AccountStore;
  keys: KeyStore;
  usage: UsageStore;
  plans: Plans;
  /** Of this process, for the shares that plans show. */
  capacities: ShareCapacities;
  /** What every key has used of its limit. */
  keyWindows: WindowCounter;
  /** Lets one request in as a key whose secret nobody has here. */
  issueTicket: KeyAuthenticator['issueTicket'];
  /** Whether mails are sent; otherwise their links are in the log. */
  canSendMail: boolean;
  /** PUBLIC_URL, or null where the request's own Host counts. */
  publicUrl: string | null;
  now: () => number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, on routes that ask for it; null elsewhere. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    /** Who may call a route under /account: anyone, who is signed in (unless told), or administrators. */
    audience?: 'anyone' | 'administrators';
    /** Whether a route under /account reads its body itself, once it has checked what comes before. */
    readsOwnBody?: boolean;
  }
}
