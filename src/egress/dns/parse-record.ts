import type { WireReader } from './wire-reader.ts';

/**
 * A resource record; `type` is null if it is not used here. Names are lower case, without the trailing dot.
 */
export type ResourceRecord = { owner: string; ttlSeconds: number } & RecordData;

export type RecordData =
  | { type: 'A' | 'AAAA' | 'NS' | 'TXT'; data: string }
  | { type: 'CNAME'; data: string }
  | { type: 'MX'; data: { exchange: string; priority: number } }
  | { type: 'SOA'; minimumSeconds: number }
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
  const data = recordClass === CLASS_IN ? parseData(reader, code, length, end) : UNUSED;
  if (data === UNUSED) reader.readBytes(length);
  if (reader.offset !== end) throw new RangeError('A record is not as long as announced.');
  // RFC 2181 §8: a TTL with the top bit set is zero.
  return { owner, ttlSeconds: ttl > MAX_TTL_SECONDS ? 0 : ttl, ...data };
}

function parseData(reader: WireReader, code: number, length: number, end: number): RecordData {
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
    case TYPE_CODES.TXT:
      return { type: 'TXT', data: parseText(reader, end) };
    case TYPE_CODES.SOA: {
      reader.readName();
      reader.readName();
      reader.readBytes(16);
      return { type: 'SOA', minimumSeconds: reader.readUInt32() };
    }
    default:
      return length === 0 ? { type: null } : UNUSED;
  }
}

/** Returns the character strings of a TXT record, joined. */
function parseText(reader: WireReader, end: number): string {
  const parts: Buffer[] = [];
  while (reader.offset < end) parts.push(reader.readBytes(reader.readUInt8()));
  return Buffer.concat(parts).toString();
}

/** Formats an address by RFC 5952: the first of the longest runs of two or more zero groups becomes `::`. */
function formatIPv6(reader: WireReader): string {
  const groups = Array.from({ length: 8 }, () => reader.readUInt16().toString(16));
  let best = 0;
  let bestLength = 1;
  let runLength = 0;
  for (const [i, group] of groups.entries()) {
    runLength = group === '0' ? runLength + 1 : 0;
    if (runLength <= bestLength) continue;
    bestLength = runLength;
    best = i - runLength + 1;
  }
  if (bestLength === 1) return groups.join(':');
  return `${groups.slice(0, best).join(':')}::${groups.slice(best + bestLength).join(':')}`;
}
