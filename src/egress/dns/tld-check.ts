import { LRUCache } from 'lru-cache';
import type { Attempt, AttemptResult } from './attempt.ts';
import { encodeQuestion, RCODE } from './message.ts';
import type { DnsFailure, DnsType } from './resolver.ts';

/** Calls `done` with null where the server admits the top-level domain, else with what is wrong; at once where it is known. */
export type CheckTld = (tld: string, done: (fault: DnsFailure | null) => void) => void;

const ADMITTED_FOR_MS = 300_000;
const DENIED_FOR_MS = 30_000;
const MAX_TLDS = 2000;
/** Every resolver knows the name servers of a top-level domain; simple forwarders refuse types other than addresses. */
const WITNESS_TYPES: DnsType[] = ['NS', 'A'];

/**
 * A server that denies a top-level domain which exists denies all below it (RFC 8020), so its NXDOMAIN proves nothing: a captive portal or
 * a closed network. One question a domain, remembered; only those whom NXDOMAIN was told need to ask.
 */
export function createTldWitness(attempt: Attempt, now: () => number): CheckTld {
  const verdicts = new LRUCache<string, { fault: DnsFailure | null; untilMs: number }>({ max: MAX_TLDS });
  const waiting = new Map<string, ((fault: DnsFailure | null) => void)[]>();

  function ask(tld: string, types: DnsType[], end: (result: AttemptResult) => void): void {
    const [type = 'A', ...rest] = types;
    const encoded = encodeQuestion(tld, type);
    if (!encoded) return end({ reply: null, reason: 'malformed' });
    attempt(encoded, (result) => {
      if (result.reply || rest.length === 0) end(result);
      else ask(tld, rest, end);
    });
  }

  function open(tld: string, dones: ((fault: DnsFailure | null) => void)[]): void {
    waiting.set(tld, dones);
    ask(tld, WITNESS_TYPES, (result) => {
      waiting.delete(tld);
      const isDenied = result.reply?.rcode === RCODE.NXDOMAIN;
      const fault = result.reply ? (isDenied ? 'lying_resolver' : null) : result.reason;
      if (result.reply)
        verdicts.set(tld, { fault, untilMs: now() + (isDenied ? DENIED_FOR_MS : ADMITTED_FOR_MS) });
      for (const done of dones) done(fault);
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
