import type { DnsType } from './resolver.ts';
import type { WireReader } from './wire-reader.ts';

/** A resource record; `type` is null if it is not used here. Names are lower case, without trailing dot. */
export type ResourceRecord = { owner: string; ttlSeconds: number } & RecordData;

type RecordData =
  | { type: Exclude<DnsType, 'MX'> | 'CNAME'; data: string }
  | { type: 'MX'; data: { exchange: string; priority: number } }
  | { type: 'SOA'; minimumSeconds: number }
  | { type: 'OPT'; extendedRcode: number }
  | { type: null };

export const TYPE_CODES = { A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28, OPT: 41 } as const;
export const CLASS_IN = 1;
const MAX_TTL_SECONDS = 0x7fff_ffff;
const UNUSED: RecordData = { type: null };

/**
 * Parses the next record (RFC 1035 §4.1.3). Throws a RangeError if it is malformed, so that no part of it is
 * used.
 */
export function parseRecord(reader: WireReader): ResourceRecord {
  const owner = reader.readName();
  const code = reader.readUInt16();
  const recordClass = reader.readUInt16();
  const ttl = reader.readUInt32();
  const length = reader.readUInt16();
  const end = reader.offset + length;
  let data = recordClass === CLASS_IN ? parseData(reader, code, end) : UNUSED;
  // RFC 6891 §6.1.3: the upper bits of the response code are where other records have a TTL.
  if (code === TYPE_CODES.OPT) data = { type: 'OPT', extendedRcode: (ttl >>> 24) << 4 };
  if (reader.offset !== end && (data.type === null || data.type === 'OPT')) reader.skip(length);
  if (reader.offset !== end) throw new RangeError('A record is not as long as announced.');
  // RFC 2181 §8: a TTL with the top bit set is zero.
  return { owner, ttlSeconds: ttl > MAX_TTL_SECONDS ? 0 : ttl, ...data };
}

function parseData(reader: WireReader, code: number, end: number): RecordData {
  switch (code) {
    case TYPE_CODES.A:
      return { type: 'A', data: reader.readBytes(4).join('.') };
    case TYPE_CODES.AAAA:
      return { type: 'AAAA', data: formatIPv6(reader) };
    case TYPE_CODES.NS:
      return { type: 'NS', data: reader.readName() };
    case TYPE_CODES.CNAME:
      return { type: 'CNAME', data: reader.readName() };
    case TYPE_CODES.MX: {
      const priority = reader.readUInt16();
      return { type: 'MX', data: { exchange: reader.readName(), priority } };
    }
    case TYPE_CODES.TXT: {
      const parts: Buffer[] = [];
      while (reader.offset < end) parts.push(reader.readBytes(reader.readUInt8()));
      return { type: 'TXT', data: Buffer.concat(parts).toString() };
    }
    case TYPE_CODES.SOA:
      reader.readName();
      reader.readName();
      reader.skip(16);
      return { type: 'SOA', minimumSeconds: reader.readUInt32() };
    default:
      return UNUSED;
  }
}

/** Formats an address by RFC 5952, which is how a URL is serialized. */
function formatIPv6(reader: WireReader): string {
  const groups = Array.from({ length: 8 }, () => reader.readUInt16().toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
