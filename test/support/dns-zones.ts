import type { Answer } from 'dns-packet';
import type { DnsQuestion, DnsReply } from './dns-server.ts';

/**
 * The records of a name. `CNAME` excludes all others. TTLs are in seconds; `ttl` defaults to 300. `soaTtl`
 * and `soaMinimum` apply to negative responses.
 */
export interface DnsZone {
  A?: string[];
  AAAA?: string[];
  MX?: { exchange: string; priority: number }[];
  TXT?: string[];
  NS?: string[];
  CNAME?: string;
  ttl?: number;
  soaTtl?: number;
  soaMinimum?: number;
  /** Omits the SOA from negative responses. */
  withoutSoa?: boolean;
}

/** By name: its records, an RCODE for every query, or a reply to send as it is. */
export type DnsZones = Record<string, DnsZone | string | DnsReply>;

const ZONE_KEYS = new Set([
  'A',
  'AAAA',
  'MX',
  'TXT',
  'NS',
  'CNAME',
  'ttl',
  'soaTtl',
  'soaMinimum',
  'withoutSoa',
]);

function isZone(entry: DnsZone | DnsReply): entry is DnsZone {
  return Object.keys(entry).every((key) => ZONE_KEYS.has(key));
}

function soa(name: string, zone: DnsZone): Answer {
  return {
    type: 'SOA',
    name,
    ttl: zone.soaTtl ?? 900,
    data: {
      mname: 'ns.test',
      rname: 'root.test',
      serial: 1,
      refresh: 3600,
      retry: 600,
      expire: 86400,
      minimum: zone.soaMinimum ?? 900,
    },
  };
}

function negative(name: string, zone: DnsZone, rcode: string, answers: Answer[]): DnsReply {
  return { rcode, answers, authorities: zone.withoutSoa ? [] : [soa(name, zone)] };
}

function recordsOf(name: string, type: string, zone: DnsZone): Answer[] {
  const ttl = zone.ttl ?? 300;
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'NS':
      return (zone[type] ?? []).map((data) => ({ type, name, ttl, data }));
    case 'TXT':
      // RFC 1035 §3.3: a string has at most 255 octets; a longer text is several of them.
      return (zone.TXT ?? []).map((text) => ({ type, name, ttl, data: text.match(/.{1,255}/gs) ?? [''] }));
    case 'MX':
      return (zone.MX ?? []).map(({ exchange, priority }) => ({
        type,
        name,
        ttl,
        data: { exchange: exchange === '' ? '.' : exchange, preference: priority },
      }));
    default:
      return [];
  }
}

/**
 * Answers as a correct recursive resolver that knows `zones`. Follows at most 8 CNAMEs among them, and adds
 * the SOA to negative responses.
 */
export function answerFromZones(zones: DnsZones, question: DnsQuestion): DnsReply {
  const answers: Answer[] = [];
  let name = question.name;
  for (let hops = 0; hops < 8; hops += 1) {
    const entry = zones[name];
    if (typeof entry === 'string') return { rcode: entry, answers };
    if (entry === undefined) {
      const exists = !name.includes('.') || Object.keys(zones).some((listed) => listed.endsWith(`.${name}`));
      return negative(name.slice(name.lastIndexOf('.') + 1), {}, exists ? 'NOERROR' : 'NXDOMAIN', answers);
    }
    if (!isZone(entry)) return entry;
    if (entry.CNAME === undefined) {
      const records = recordsOf(name, question.type, entry);
      if (records.length === 0) return negative(name, entry, 'NOERROR', answers);
      return { answers: [...answers, ...records] };
    }
    answers.push({ type: 'CNAME', name, ttl: entry.ttl ?? 300, data: entry.CNAME });
    name = entry.CNAME;
  }
  return { answers };
}
