import { CLASS_IN, readRecord, TYPE_CODES, type ResourceRecord } from './parse-record.ts';
import { WireReader } from './wire-reader.ts';
import type { DnsType } from './resolver.ts';

/** Response codes (RFC 1035 §4.1.1, RFC 6891 §9) that are told apart here. */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

/** A question ready to send: the message's bytes with id 0, with and without EDNS. */
export interface EncodedQuestion {
  withEdns: Buffer;
  plain: Buffer;
}

export interface ReplyMessage {
  /** With the extended bits of EDNS (RFC 6891 §6.1.3). */
  rcode: number;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
}

/** `stranger`: not an answer to this question. `truncated`: ask again over TCP. */
export type ReadReply =
  | { kind: 'reply'; reply: ReplyMessage }
  | { kind: 'stranger' }
  | { kind: 'truncated' }
  | { kind: 'malformed' };

const HEADER_BYTES = 12;
const OPT_BYTES = 11;
/** What a path without fragments carries (DNS flag day 2020). */
const UDP_PAYLOAD_BYTES = 1232;
const RECURSION_DESIRED = 0x01;
const MAX_RECORDS_PER_SECTION = 256;
const MAX_NAME_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
const BACKSLASH = 0x5c;

const STRANGER: ReadReply = { kind: 'stranger' };
const TRUNCATED: ReadReply = { kind: 'truncated' };
const MALFORMED: ReadReply = { kind: 'malformed' };

/** Encodes one question of class IN, recursion desired; null where `name` cannot be a domain name (RFC 1035 §2.3.4). */
export function encodeQuestion(name: string, type: DnsType): EncodedQuestion | null {
  const nameOctets = name.length + 2;
  if (nameOctets > MAX_NAME_OCTETS) return null;
  const withEdns = Buffer.alloc(HEADER_BYTES + nameOctets + 4 + OPT_BYTES);
  withEdns[2] = RECURSION_DESIRED;
  withEdns[5] = 1;
  withEdns[11] = 1;
  let offset = HEADER_BYTES;
  for (const label of name.split('.')) {
    if (label.length === 0 || label.length > MAX_LABEL_OCTETS) return null;
    withEdns[offset] = label.length;
    for (let i = 0; i < label.length; i += 1) {
      const code = label.charCodeAt(i);
      if (code <= 0x20 || code >= 0x7f || code === BACKSLASH) return null;
      withEdns[offset + 1 + i] = code;
    }
    offset += label.length + 1;
  }
  offset = withEdns.writeUInt16BE(TYPE_CODES[type], offset + 1);
  offset = withEdns.writeUInt16BE(CLASS_IN, offset);
  withEdns.writeUInt16BE(TYPE_CODES.OPT, offset + 1);
  withEdns.writeUInt16BE(UDP_PAYLOAD_BYTES, offset + 3);
  const plain = Buffer.from(withEdns.subarray(0, offset));
  plain[11] = 0;
  return { withEdns, plain };
}

/** Reads a message as the answer to `asked`. Whose id it carries is the caller's affair. Never throws. */
export function readReply(bytes: Buffer, asked: EncodedQuestion): ReadReply {
  if (bytes.length < HEADER_BYTES) return STRANGER;
  const flags = bytes.readUInt16BE(2);
  const isResponse = (flags & 0x8000) !== 0;
  const isStandardQuery = (flags & 0x7800) === 0;
  const lowRcode = flags & 0x0f;
  if (!isResponse || !isStandardQuery || !repeatsQuestion(bytes, asked.plain, lowRcode)) return STRANGER;
  if ((flags & 0x0200) !== 0) return TRUNCATED;
  const hasQuestion = bytes.readUInt16BE(4) === 1;
  const reader = new WireReader(bytes, hasQuestion ? asked.plain.length : HEADER_BYTES);
  try {
    const answers = readSection(reader, bytes.readUInt16BE(6));
    const authorities = readSection(reader, bytes.readUInt16BE(8));
    const rcode = lowRcode | readExtendedRcode(reader, bytes.readUInt16BE(10));
    return { kind: 'reply', reply: { rcode, answers, authorities } };
  } catch {
    return MALFORMED;
  }
}

function readSection(reader: WireReader, count: number): ResourceRecord[] {
  if (count > MAX_RECORDS_PER_SECTION) throw new RangeError('More records than anyone needs.');
  const records: ResourceRecord[] = [];
  for (let i = 0; i < count; i += 1) records.push(readRecord(reader));
  return records;
}

/** The upper bits of the response code, from the OPT record in the additional section. */
function readExtendedRcode(reader: WireReader, count: number): number {
  if (count > MAX_RECORDS_PER_SECTION) throw new RangeError('More records than anyone needs.');
  let upper = 0;
  for (let i = 0; i < count; i += 1) {
    reader.skipName();
    const type = reader.readUInt16();
    reader.readUInt16();
    const ttl = reader.readUInt32();
    if (type === TYPE_CODES.OPT) upper = (ttl >>> 24) << 4;
    reader.readBytes(reader.readUInt16());
  }
  return upper;
}

/** Whether the question comes back octet for octet but for case. An error may leave it out: it proves nothing, so it cannot be abused. */
function repeatsQuestion(bytes: Buffer, asked: Buffer, rcode: number): boolean {
  const count = bytes.readUInt16BE(4);
  if (count === 0) return rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN;
  if (count !== 1 || bytes.length < asked.length) return false;
  for (let i = HEADER_BYTES; i < asked.length; i += 1) {
    if (lowerCase(bytes[i] ?? 0) !== lowerCase(asked[i] ?? 0)) return false;
  }
  return true;
}

/** Length octets, types and the class are below 0x41, so folding every octet touches letters only. */
function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet;
}
