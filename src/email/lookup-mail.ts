/**
 * A mail exchange: `exchange` is a host name as A-labels, without a trailing dot; `''` is a null MX (RFC
 * 7505).
 */
export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

/**
 * The facts that DNS gives about mail for a domain.
 * `mx`: it has MX records, sorted by priority; null and unusable ones are included. `unreachable`: DNS proves
 * that no exchange that a public host could be has a public address.
 * `address`: it has no MX record, but a public A or AAAA record (RFC 5321 §5.1).
 * `none`: it does not exist, or has neither.
 * `unknown`: the lookup failed (SERVFAIL, REFUSED, timeout, a resolver that denies real top-level domains).
 */
export type MailFacts =
  | { outcome: 'mx'; exchanges: readonly MailExchange[]; unreachable?: true }
  | { outcome: 'address' }
  | { outcome: 'none'; reason: 'nxdomain' | 'nodata' | 'no_public_address' }
  | {
      outcome: 'unknown';
      reason: 'servfail' | 'refused' | 'timeout' | 'network' | 'lying_resolver' | 'overloaded' | 'malformed';
    };

/**
 * Looks up the mail facts of an A-label domain. Rejects only if `signal` is aborted; a failed lookup is the
 * outcome `unknown`, and so is one that takes longer than `timeoutMs`.
 */
export type LookupMail = (domain: string, signal?: AbortSignal, timeoutMs?: number) => Promise<MailFacts>;

/**
 * The TXT records of a name, the strings of each joined. `none`: the name has none or does not exist.
 * `unknown`: the lookup failed.
 */
export type TxtFacts =
  | { outcome: 'records'; texts: readonly string[] }
  | { outcome: 'none' }
  | { outcome: 'unknown'; reason: Extract<MailFacts, { outcome: 'unknown' }>['reason'] };

/** Looks up the TXT records of an A-label name, as LookupMail does. */
export type LookupTxt = (name: string, signal?: AbortSignal, timeoutMs?: number) => Promise<TxtFacts>;
