import { LRUCache } from 'lru-cache';
import type { Attempt, AttemptResult } from './attempt.ts';
import { encodeQuestion, RCODE } from './message.ts';
import type { DnsFailure, DnsType } from './resolver.ts';

/**
 * Calls `done` with null if the server knows the top-level domain, else with the failure; synchronously if
 * cached.
 */
export type CheckTld = (tld: string, done: (fault: DnsFailure | null) => void) => void;

const KNOWN_FOR_MS = 300_000;
const DENIED_FOR_MS = 30_000;
const MAX_TLDS = 2000;
/**
 * Every resolver knows the name servers of a top-level domain; simple forwarders refuse types other than
 * addresses.
 */
const CHECK_TYPES: DnsType[] = ['NS', 'A'];

/**
 * Creates the check that makes an NXDOMAIN credible. A server that denies an existing top-level domain denies
 * everything below it (RFC 8020), so its NXDOMAIN proves nothing: it is a captive portal or a closed network.
 * Costs one question per domain, cached; only an NXDOMAIN causes it.
 */
export function createTldCheck(attempt: Attempt, now: () => number): CheckTld {
  const verdicts = new LRUCache<string, { fault: DnsFailure | null; untilMs: number }>({ max: MAX_TLDS });
  const waiting = new Map<string, ((fault: DnsFailure | null) => void)[]>();

  function query(tld: string, types: DnsType[], end: (result: AttemptResult) => void): void {
    const [type = 'A', ...rest] = types;
    const encoded = encodeQuestion(tld, type);
    if (!encoded) return end({ reply: null, reason: 'malformed' });
    attempt(encoded, (result) => {
      if (result.reply || rest.length === 0) end(result);
      else query(tld, rest, end);
    });
  }

  function open(tld: string, callbacks: ((fault: DnsFailure | null) => void)[]): void {
    waiting.set(tld, callbacks);
    query(tld, CHECK_TYPES, (result) => {
      waiting.delete(tld);
      const isDenied = result.reply?.rcode === RCODE.NXDOMAIN;
      const fault = result.reply ? (isDenied ? 'lying_resolver' : null) : result.reason;
      if (result.reply)
        verdicts.set(tld, { fault, untilMs: now() + (isDenied ? DENIED_FOR_MS : KNOWN_FOR_MS) });
      for (const done of callbacks) done(fault);
    });
  }

  return (tld, done) => {
    const verdict = verdicts.get(tld);
    if (verdict && now() < verdict.untilMs) return done(verdict.fault);
    const others = waiting.get(tld);
    if (others) others.push(done);
    else open(tld, [done]);
  };
}
