import type { AttemptResult } from './attempt.ts';
import { extractAnswer, type CnameChain, type FreshAnswer } from './extract-answer.ts';
import type { ResolverLimits } from './limits.ts';
import { encodeQuestion } from './message.ts';
import type { NameServer } from './name-server.ts';
import { queryServers } from './query-servers.ts';
import type { DnsFailure, DnsType } from './resolver.ts';

export type LookupResult = FreshAnswer | { outcome: 'failure'; reason: DnsFailure };

/**
 * Looks up one name and follows CNAMEs, with as many questions as that takes. Has no cache and no deadline.
 * Calls `done` once, never before it returns. Returns the function that cancels.
 */
export function startLookup(
  servers: NameServer[],
  name: string,
  type: DnsType,
  limits: ResolverLimits,
  done: (result: LookupResult) => void,
): () => void {
  const chain: CnameChain = { name, seen: new Set([name]), ttlSeconds: limits.maxTtlSeconds };
  const topLevelDomain = name.slice(name.lastIndexOf('.') + 1);
  let cancel = query();

  function query(): () => void {
    const encoded = encodeQuestion(chain.name, type);
    if (!encoded) {
      queueMicrotask(() => done({ outcome: 'failure', reason: 'malformed' }));
      return () => {};
    }
    return queryServers(servers, { encoded, topLevelDomain }, limits.hedgeAfterMs, receive);
  }

  function receive(result: AttemptResult): void {
    if (!result.reply) return done({ outcome: 'failure', reason: result.reason });
    const extracted = extractAnswer(result.reply, type, chain, limits);
    if (extracted.kind === 'answer') return done(extracted.answer);
    if (extracted.kind === 'loop') return done({ outcome: 'failure', reason: 'servfail' });
    cancel = query();
  }

  return () => cancel();
}
