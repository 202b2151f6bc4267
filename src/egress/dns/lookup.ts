import { askServers } from './query-servers.ts';
import type { AttemptResult } from './attempt.ts';
import type { ResolverLimits } from './limits.ts';
import { encodeQuestion } from './message.ts';
import type { NameServer } from './name-server.ts';
import { readAnswer, type CnameChain, type FreshAnswer } from './extract-answer.ts';
import type { DnsFailure, DnsType } from './resolver.ts';

export type LookupResult = FreshAnswer | { outcome: 'failure'; reason: DnsFailure };

/**
 * Looks one name up, following CNAMEs across as many questions as it takes. Knows no cache and no deadline.
 * Calls `done` once, never before it returns; gives a function that gives up.
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
  let giveUp = ask();

  function ask(): () => void {
    const encoded = encodeQuestion(chain.name, type);
    if (!encoded) {
      queueMicrotask(() => done({ outcome: 'failure', reason: 'malformed' }));
      return () => {};
    }
    return askServers(servers, { encoded, topLevelDomain }, limits.hedgeAfterMs, receive);
  }

  function receive(result: AttemptResult): void {
    if (!result.reply) return done({ outcome: 'failure', reason: result.reason });
    const reading = readAnswer(result.reply, type, chain, limits);
    if (reading.kind === 'answer') return done(reading.answer);
    if (reading.kind === 'loop') return done({ outcome: 'failure', reason: 'servfail' });
    giveUp = ask();
  }

  return () => giveUp();
}
