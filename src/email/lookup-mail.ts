/** One mail exchange as DNS gives it: `exchange` is an A-label host name without the trailing dot, `''` for a null MX (RFC 7505). */
export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

/**
 * What DNS says about mail for a domain, before anyone judges it.
 * `mx`: it has MX records (null and unusable ones too, sorted by priority). `address`: no MX, but a public A or AAAA (RFC 5321 §5.1).
 * `none`: it exists nowhere or has neither. `unknown`: nobody could tell (SERVFAIL, REFUSED, time-out, a resolver that denies real top-level domains).
 */
export type MailFacts =
  | { outcome: 'mx'; exchanges: readonly MailExchange[] }
  | { outcome: 'address' }
  | { outcome: 'none'; reason: 'nxdomain' | 'nodata' | 'no_public_address' }
  | {
      outcome: 'unknown';
      reason: 'servfail' | 'refused' | 'timeout' | 'network' | 'lying_resolver' | 'overloaded' | 'malformed';
    };

/** Asks DNS about an A-label domain; at once where the answer is known. Never rejects but for an aborted signal: trouble is the outcome `unknown`. */
export type LookupMail = (domain: string, signal?: AbortSignal) => MailFacts | Promise<MailFacts>;
