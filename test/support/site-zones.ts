import type { DnsQuestion, DnsReply } from './dns-server.ts';
import type { DnsZones } from './dns-zones.ts';

/** The addresses of the public host in the egress cases. */
export const PUBLIC_ADDRESSES = ['93.184.215.14', '2606:2800:21f::14'] as const;

/** Returns the zones of the egress cases. `address` is the public host. */
export function caseZones(address: string = PUBLIC_ADDRESSES[0]): DnsZones {
  return {
    'public.test-zone.com': { A: [address] },
    'www.public.test-zone.com': { CNAME: 'public.test-zone.com' },
    'dual.test-zone.com': { A: [address], AAAA: [PUBLIC_ADDRESSES[1]] },
    'dead-then-live.test-zone.com': { A: ['93.184.215.99', address] },
    'silent-then-live.test-zone.com': { A: ['93.184.215.98', address] },
    'silent.test-zone.com': { A: ['93.184.215.98'] },
    'loop.test-zone.com': { A: ['127.0.0.1'] },
    'mapped.test-zone.com': { AAAA: ['::ffff:127.0.0.1'] },
    'ten.test-zone.com': { A: ['10.0.0.5'] },
    'mixed.test-zone.com': { A: [address, '10.0.0.5'] },
    'mixed6.test-zone.com': { A: [address], AAAA: ['fd00::5'] },
    'azure.test-zone.com': { A: ['168.63.129.16'] },
    'servfail.test-zone.com': 'SERVFAIL',
    'slow.test-zone.com': { drop: true },
  };
}

/**
 * Answers queries for `rebindN.*.test-zone.com`. The first N responses hold the public address, later ones
 * 127.0.0.1, all with TTL 0. Returns null for other names.
 */
export function answerRebind(question: DnsQuestion, address: string = PUBLIC_ADDRESSES[0]): DnsReply | null {
  const first = /^rebind(\d+)\..*test-zone\.com$/.exec(question.name)?.[1];
  if (first === undefined) return null;
  if (question.type !== 'A') return { answers: [] };
  const data = question.nth <= Number(first) ? address : '127.0.0.1';
  return { answers: [{ type: 'A', name: question.name, ttl: 0, data }] };
}
