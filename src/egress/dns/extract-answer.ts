import type { ResolverLimits } from './limits.ts';
import { RCODE, type ReplyMessage } from './message.ts';
import type { ResourceRecord } from './parse-record.ts';
import type { DnsRecords, DnsType } from './resolver.ts';

/** An answer as it came: a DnsAnswer without staleness. */
export type FreshAnswer<T extends DnsType = DnsType> =
  | { outcome: 'records'; records: DnsRecords[T][]; ttlSeconds: number }
  | { outcome: 'nodata' | 'nxdomain'; ttlSeconds: number };

/** Where the CNAMEs led so far. */
export interface CnameChain {
  name: string;
  seen: Set<string>;
  ttlSeconds: number;
}

/** `follow`: the reply ends in a CNAME whose target must be asked for. `loop`: the chain comes back to itself or is too long. */
export type AnswerReading<T extends DnsType> =
  | { kind: 'answer'; answer: FreshAnswer<T> }
  | { kind: 'follow' | 'loop' };

const MAX_CNAMES = 16;

/** Reads a NOERROR or NXDOMAIN reply for `chain.name`, and moves the chain along the CNAMEs in it. */
export function readAnswer<T extends DnsType>(
  reply: ReplyMessage,
  type: T,
  chain: CnameChain,
  limits: ResolverLimits,
): AnswerReading<T> {
  const asked = chain.name;
  for (;;) {
    const own = reply.answers.filter((record) => record.owner === chain.name);
    const found = readSet(own, type, chain, limits);
    if (found) return { kind: 'answer', answer: found };
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
  // RFC 2308 §2.2: only a SOA tells "the target has no such records" from "find out about the target yourself".
  if (!isDenied && !soa && chain.name !== asked) return { kind: 'follow' };
  const ttlSeconds = Math.min(chain.ttlSeconds, limits.maxNegativeTtlSeconds, readNegativeTtl(soa, limits));
  return { kind: 'answer', answer: { outcome: isDenied ? 'nxdomain' : 'nodata', ttlSeconds } };
}

function readSet<T extends DnsType>(
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

/** RFC 2308 §5: the lesser of the SOA's own TTL and its minimum field. */
function readNegativeTtl(soa: ResourceRecord | undefined, limits: ResolverLimits): number {
  if (soa?.type !== 'SOA') return limits.defaultNegativeTtlSeconds;
  return Math.min(soa.ttlSeconds, soa.minimumSeconds);
}

function isAtOrAbove(zone: string, name: string): boolean {
  return zone === '' || zone === name || name.endsWith(`.${zone}`);
}
