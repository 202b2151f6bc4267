import { CLASS_IN, parseRecord, TYPE_CODES, type ResourceRecord } from './parse-record.ts';
import type { DnsType } from './resolver.ts';
import { WireReader } from './wire-reader.ts';

/** The response codes that are treated differently (RFC 1035 §4.1.1, RFC 6891 §9). */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

/** The bytes of a question with id 0, with and without EDNS. */
export interface EncodedQuestion {
  withEdns: Buffer;
  plain: Buffer;
}

export interface ReplyMessage {
  /** Includes the extended bits of EDNS (RFC 6891 §6.1.3). */
  rcode: number;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
}

/** `unrelated`: not an answer to this question. `truncated`: to be repeated over TCP. */
export type ParsedReply =
  | { kind: 'reply'; reply: ReplyMessage }
  | { kind: 'unrelated' }
  | { kind: 'truncated' }
  | { kind: 'malformed' };

const HEADER_BYTES = 12;
const OPT_BYTES = 11;
/** Fits into one packet on nearly every path (DNS flag day 2020). */
const UDP_PAYLOAD_BYTES = 1232;
const RECURSION_DESIRED = 0x01;
const MAX_RECORDS_PER_SECTION = 256;
const MAX_NAME_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
const BACKSLASH = 0x5c;

const UNRELATED: ParsedReply = { kind: 'unrelated' };
const TRUNCATED: ParsedReply = { kind: 'truncated' };
const MALFORMED: ParsedReply = { kind: 'malformed' };

/**
 * Encodes one question of class IN, recursion desired. Null if `name` cannot be a domain name (RFC 1035
 * §2.3.4).
 */
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

/** Parses a message as the reply to `question`. Does not compare ids. Never throws. */
export function parseReply(bytes: Buffer, question: EncodedQuestion): ParsedReply {
  if (bytes.length < HEADER_BYTES) return UNRELATED;
  const flags = bytes.readUInt16BE(2);
  const isResponse = (flags & 0x8000) !== 0;
  const isStandardQuery = (flags & 0x7800) === 0;
  const lowRcode = flags & 0x0f;
  if (!isResponse || !isStandardQuery || !repeatsQuestion(bytes, question.plain, lowRcode)) return UNRELATED;
  if ((flags & 0x0200) !== 0) return TRUNCATED;
  const hasQuestion = bytes.readUInt16BE(4) === 1;
  const reader = new WireReader(bytes, hasQuestion ? question.plain.length : HEADER_BYTES);
  try {
    const answers = parseSection(reader, bytes.readUInt16BE(6));
    const authorities = parseSection(reader, bytes.readUInt16BE(8));
    const rcode = lowRcode | parseExtendedRcode(reader, bytes.readUInt16BE(10));
    return { kind: 'reply', reply: { rcode, answers, authorities } };
  } catch {
    return MALFORMED;
  }
}

function parseSection(reader: WireReader, count: number): ResourceRecord[] {
  if (count > MAX_RECORDS_PER_SECTION) throw new RangeError('The message has too many records.');
  const records: ResourceRecord[] = [];
  for (let i = 0; i < count; i += 1) records.push(parseRecord(reader));
  return records;
}

/** Returns the upper bits of the response code, from the OPT record in the additional section. */
function parseExtendedRcode(reader: WireReader, count: number): number {
  if (count > MAX_RECORDS_PER_SECTION) throw new RangeError('The message has too many records.');
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

/**
 * Reports whether the message repeats the question, octet for octet except for case. Errors may omit it: they
 * prove nothing, so forging them gains nothing.
 */
function repeatsQuestion(bytes: Buffer, question: Buffer, rcode: number): boolean {
  const count = bytes.readUInt16BE(4);
  if (count === 0) return rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN;
  if (count !== 1 || bytes.length < question.length) return false;
  for (let i = HEADER_BYTES; i < question.length; i += 1) {
    if (lowerCase(bytes[i] ?? 0) !== lowerCase(question[i] ?? 0)) return false;
  }
  return true;
}

/** Lengths, types and the class are below 0x41, so applying this to every octet changes letters only. */
function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet;
}
