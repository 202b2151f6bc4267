import type { ResolverLimits } from './limits.ts';
import { RCODE, type ReplyMessage } from './message.ts';
import type { ResourceRecord } from './parse-record.ts';
import type { DnsRecords, DnsType } from './resolver.ts';

/** An answer as received: a DnsAnswer without staleness. */
export type FreshAnswer<T extends DnsType = DnsType> =
  | { outcome: 'records'; records: DnsRecords[T][]; ttlSeconds: number }
  | { outcome: 'nodata' | 'nxdomain'; ttlSeconds: number };

/** The CNAMEs followed so far. */
export interface CnameChain {
  name: string;
  seen: Set<string>;
  ttlSeconds: number;
}

/** `follow`: the last CNAME's target needs another question. `loop`: the chain is circular or too long. */
export type ExtractedAnswer<T extends DnsType> =
  | { kind: 'answer'; answer: FreshAnswer<T> }
  | { kind: 'follow' | 'loop' };

const MAX_CNAMES = 16;

/**
 * Returns the answer of a NOERROR or NXDOMAIN reply for `chain.name`. Advances `chain` along the reply's
 * CNAMEs.
 */
export function extractAnswer<T extends DnsType>(
  reply: ReplyMessage,
  type: T,
  chain: CnameChain,
  limits: ResolverLimits,
): ExtractedAnswer<T> {
  const queriedName = chain.name;
  for (;;) {
    const own = reply.answers.filter((record) => record.owner === chain.name);
    const records = collectRecords(own, type, chain, limits);
    if (records) return { kind: 'answer', answer: records };
    const alias = own.find((record) => record.type === 'CNAME');
    if (!alias) break;
    if (chain.seen.has(alias.data) || chain.seen.size > MAX_CNAMES) return { kind: 'loop' };
    chain.seen.add(alias.data);
    chain.name = alias.data;
    chain.ttlSeconds = Math.min(chain.ttlSeconds, alias.ttlSeconds);
  }
  const soa = reply.authorities.find(
    (record) => record.type === 'SOA' && isAtOrAbove(record.owner, chain.name),
  );
  const isDenied = reply.rcode === RCODE.NXDOMAIN;
  // RFC 2308 §2.2: without a SOA, the server may know nothing about the target: it needs its own question.
  if (!isDenied && !soa && chain.name !== queriedName) return { kind: 'follow' };
  const ttlSeconds = Math.min(
    chain.ttlSeconds,
    limits.maxNegativeTtlSeconds,
    computeNegativeTtl(soa, limits),
  );
  return { kind: 'answer', answer: { outcome: isDenied ? 'nxdomain' : 'nodata', ttlSeconds } };
}

function collectRecords<T extends DnsType>(
  own: ResourceRecord[],
  type: T,
  chain: CnameChain,
  limits: ResolverLimits,
): FreshAnswer<T> | null {
  const records: DnsRecords[T][] = [];
  let ttlSeconds = Math.min(chain.ttlSeconds, limits.maxTtlSeconds);
  for (const record of own) {
    if (record.type !== type || !('data' in record)) continue;
    records.push(record.data as DnsRecords[T]);
    ttlSeconds = Math.min(ttlSeconds, record.ttlSeconds);
  }
  return records.length > 0 ? { outcome: 'records', records, ttlSeconds } : null;
}

/** Returns the lesser of the SOA's TTL and its minimum field (RFC 2308 §5). */
function computeNegativeTtl(soa: ResourceRecord | undefined, limits: ResolverLimits): number {
  if (soa?.type !== 'SOA') return limits.defaultNegativeTtlSeconds;
  return Math.min(soa.ttlSeconds, soa.minimumSeconds);
}

function isAtOrAbove(zone: string, name: string): boolean {
  return zone === '' || zone === name || name.endsWith(`.${zone}`);
}
