import type { ResolverLimits } from './limits.ts';
import { RCODE, type ReplyMessage } from './message.ts';
import type { DnsRecords, DnsType, ServerAnswer } from './resolver.ts';

/** The CNAMEs followed so far. */
export interface CnameChain {
  name: string;
  seen: string[];
  ttlSeconds: number;
}

const MAX_CNAMES = 16;

/**
 * Returns the answer of a NOERROR or NXDOMAIN reply for `chain.name`. Advances `chain` along the reply's
 * CNAMEs. `follow`: the last CNAME's target needs another question. `loop`: the chain is circular or too
 * long.
 */
export function extractAnswer<T extends DnsType>(
  { rcode, answers, authorities }: ReplyMessage,
  type: T,
  chain: CnameChain,
  limits: ResolverLimits,
): ServerAnswer<T> | 'follow' | 'loop' {
  const queriedName = chain.name;
  for (;;) {
    const records: DnsRecords[T][] = [];
    let { ttlSeconds } = chain;
    for (const record of answers) {
      if (record.owner !== chain.name || record.type !== type || !('data' in record)) continue;
      records.push(record.data as DnsRecords[T]);
      ttlSeconds = Math.min(ttlSeconds, record.ttlSeconds);
    }
    if (records.length > 0) return { outcome: 'records', records, ttlSeconds, stale: false };
    const alias = answers.find((record) => record.owner === chain.name && record.type === 'CNAME');
    if (alias?.type !== 'CNAME') break;
    if (chain.seen.includes(alias.data) || chain.seen.length > MAX_CNAMES) return 'loop';
    chain.seen.push(alias.data);
    chain.name = alias.data;
    chain.ttlSeconds = Math.min(chain.ttlSeconds, alias.ttlSeconds);
  }
  const soa = authorities.find(({ type: kind, owner }) => kind === 'SOA' && isAtOrAbove(owner, chain.name));
  const isDenied = rcode === RCODE.NXDOMAIN;
  // RFC 2308 §2.2: without a SOA, the server may know nothing about the target: it needs its own question.
  if (!isDenied && !soa && chain.name !== queriedName) return 'follow';
  // RFC 2308 §5: the lesser of the SOA's TTL and its minimum field.
  const negativeTtlSeconds =
    soa?.type === 'SOA' ? Math.min(soa.ttlSeconds, soa.minimumSeconds) : limits.defaultNegativeTtlSeconds;
  const ttlSeconds = Math.min(chain.ttlSeconds, limits.maxNegativeTtlSeconds, negativeTtlSeconds);
  return { outcome: isDenied ? 'nxdomain' : 'nodata', ttlSeconds, stale: false };
}

function isAtOrAbove(zone: string, name: string): boolean {
  return zone === '' || zone === name || name.endsWith(`.${zone}`);
}
