import { parseName, type Cursor } from './parse-name.ts';
import type { DnsType } from './resolver.ts';

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

/** Parses the data at the cursor, which it advances to where the data really ends. */
type ParseData = (bytes: Buffer, cursor: Cursor, end: number) => RecordData;

const PARSERS: Partial<Record<number, ParseData>> = {
  [TYPE_CODES.A]: (bytes, cursor) => ({ type: 'A', data: takeBytes(bytes, cursor, 4).join('.') }),
  [TYPE_CODES.AAAA]: (bytes, cursor) => ({ type: 'AAAA', data: formatIPv6(takeBytes(bytes, cursor, 16)) }),
  [TYPE_CODES.NS]: (bytes, cursor) => ({ type: 'NS', data: parseName(bytes, cursor) }),
  [TYPE_CODES.CNAME]: (bytes, cursor) => ({ type: 'CNAME', data: parseName(bytes, cursor) }),
  [TYPE_CODES.MX]: (bytes, cursor) => {
    const priority = bytes.readUInt16BE(cursor.offset);
    cursor.offset += 2;
    return { type: 'MX', data: { exchange: parseName(bytes, cursor), priority } };
  },
  [TYPE_CODES.TXT]: (bytes, cursor, end) => {
    const strings: Buffer[] = [];
    while (cursor.offset < end) strings.push(takeBytes(bytes, cursor, bytes.readUInt8(cursor.offset++)));
    return { type: 'TXT', data: Buffer.concat(strings).toString() };
  },
  [TYPE_CODES.SOA]: (bytes, cursor) => {
    parseName(bytes, cursor);
    parseName(bytes, cursor);
    cursor.offset += 20;
    return { type: 'SOA', minimumSeconds: bytes.readUInt32BE(cursor.offset - 4) };
  },
};

/**
 * Parses the next record (RFC 1035 §4.1.3). Throws a RangeError if it is malformed, so that no part of it is
 * used.
 */
export function parseRecord(bytes: Buffer, cursor: Cursor): ResourceRecord {
  const owner = parseName(bytes, cursor);
  const at = cursor.offset;
  const code = bytes.readUInt16BE(at);
  const ttl = bytes.readUInt32BE(at + 4);
  const end = at + 10 + bytes.readUInt16BE(at + 8);
  if (end > bytes.length) throw new RangeError('The message ends too early.');
  const parse = bytes.readUInt16BE(at + 2) === CLASS_IN ? PARSERS[code] : undefined;
  cursor.offset = parse ? at + 10 : end;
  let data: RecordData = parse?.(bytes, cursor, end) ?? { type: null };
  // RFC 6891 §6.1.3: the upper bits of the response code are where other records have a TTL.
  if (code === TYPE_CODES.OPT) data = { type: 'OPT', extendedRcode: (ttl >>> 24) << 4 };
  if (cursor.offset !== end) throw new RangeError('A record is not as long as announced.');
  // RFC 2181 §8: a TTL with the top bit set is zero.
  return { owner, ttlSeconds: ttl > MAX_TTL_SECONDS ? 0 : ttl, ...data };
}

function takeBytes(bytes: Buffer, cursor: Cursor, length: number): Buffer {
  cursor.offset += length;
  return bytes.subarray(cursor.offset - length, cursor.offset);
}

/** Formats an address by RFC 5952, which is how a URL is serialized. */
function formatIPv6(octets: Buffer): string {
  const groups = octets.toString('hex').replaceAll(/.{4}(?!$)/g, '$&:');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}
