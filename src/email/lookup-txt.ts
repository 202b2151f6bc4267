import type { MailFacts } from './lookup-mail.ts';

/**
 * The TXT records of a name, the strings of each joined. `none`: the name has none or does not exist.
 * `unknown`: the lookup failed.
 */
export type TxtFacts =
  | { outcome: 'records'; texts: readonly string[] }
  | { outcome: 'none' }
  | { outcome: 'unknown'; reason: Extract<MailFacts, { outcome: 'unknown' }>['reason'] };

/**
 * Looks up the TXT records of an A-label name; returns them synchronously if they are cached. Rejects only if
 * `signal` is aborted.
 */
export type LookupTxt = (name: string, signal?: AbortSignal) => TxtFacts | Promise<TxtFacts>;
