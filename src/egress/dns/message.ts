import { CLASS_IN, parseRecord, TYPE_CODES, type ResourceRecord } from './parse-record.ts';
import type { DnsType } from './resolver.ts';
import { WireReader } from './wire-reader.ts';

/** The response codes that are treated differently (RFC 1035 §4.1.1, RFC 6891 §9). */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

export interface ReplyMessage {
  /** Includes the extended bits of EDNS (RFC 6891 §6.1.3). */
  rcode: number;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
}

/** `unrelated`: not an answer to the question. `truncated`: the question must be repeated over TCP. */
export type ParsedReply = ReplyMessage | 'unrelated' | 'truncated' | 'malformed';

/** `network`: the connection was refused or the server is unreachable. */
export type TransportResult = Exclude<ParsedReply, 'unrelated'> | 'network';

/**
 * Sends one question, and writes an id of its own into it. Calls `done` once, never before it returns.
 * Returns the function that cancels the question. Has no timeout of its own.
 */
export type Transport = (question: Buffer, done: (result: TransportResult) => void) => () => void;

const HEADER_BYTES = 12;
/** An OPT record with a payload size that fits into one packet on nearly every path (DNS flag day 2020). */
const OPT = Buffer.from([0, 0, TYPE_CODES.OPT, 1232 >> 8, 1232 & 0xff, 0, 0, 0, 0, 0, 0]);
const HEADER = Buffer.from([0, 0, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
/** The last octet of the header's number of additional records: 1 with EDNS. */
const EDNS_OFFSET = 11;
const MAX_RECORDS_PER_SECTION = 256;
const MAX_NAME_OCTETS = 255;
const LABEL = /^[!-[\]-~]{1,63}$/;

/**
 * Encodes one question of class IN with recursion desired and EDNS. Its id is 0. Null if `name` cannot be a
 * domain name (RFC 1035 §2.3.4).
 */
export function encodeQuestion(name: string, type: DnsType): Buffer | null {
  const nameOctets = name.length + 2;
  if (nameOctets > MAX_NAME_OCTETS) return null;
  const question = Buffer.allocUnsafe(HEADER_BYTES + nameOctets + 4 + OPT.length);
  question.set(HEADER);
  let offset = HEADER_BYTES;
  for (const label of name.split('.')) {
    if (!LABEL.test(label)) return null;
    question[offset] = label.length;
    offset += 1 + question.write(label, offset + 1, 'latin1');
  }
  question[offset] = 0;
  question.writeUInt16BE(TYPE_CODES[type], offset + 1);
  question.writeUInt16BE(CLASS_IN, offset + 3);
  question.set(OPT, offset + 5);
  return question;
}

/** Returns a copy of a question that can get an id. */
export function copyQuestion(question: Buffer, hasEdns: boolean): Buffer {
  const copy = Buffer.from(hasEdns ? question : question.subarray(0, -OPT.length));
  copy[EDNS_OFFSET] = hasEdns ? 1 : 0;
  return copy;
}

/** Parses a message as the reply to `question`. Does not compare ids. Never throws. */
export function parseReply(bytes: Buffer, question: Buffer): ParsedReply {
  if (bytes.length < HEADER_BYTES) return 'unrelated';
  const flags = bytes.readUInt16BE(2);
  const isAnswer = (flags & 0xf800) === 0x8000;
  const lowRcode = flags & 0x0f;
  const questionEnd = question[EDNS_OFFSET] === 1 ? question.length - OPT.length : question.length;
  if (!isAnswer || !repeatsQuestion(bytes, question, questionEnd, lowRcode)) return 'unrelated';
  if ((flags & 0x0200) !== 0) return 'truncated';
  const reader = new WireReader(bytes, bytes.readUInt16BE(4) === 1 ? questionEnd : HEADER_BYTES);
  try {
    const answers = parseSection(reader, bytes.readUInt16BE(6));
    const authorities = parseSection(reader, bytes.readUInt16BE(8));
    const additionals = parseSection(reader, bytes.readUInt16BE(10));
    const opt = additionals.find((record) => record.type === 'OPT');
    return { rcode: lowRcode | (opt?.extendedRcode ?? 0), answers, authorities };
  } catch {
    return 'malformed';
  }
}

function parseSection(reader: WireReader, count: number): ResourceRecord[] {
  if (count > MAX_RECORDS_PER_SECTION) throw new RangeError('The message has too many records.');
  const records: ResourceRecord[] = [];
  for (let i = 0; i < count; i += 1) records.push(parseRecord(reader));
  return records;
}

/**
 * Reports whether the message repeats the question, octet for octet except for case. Errors may omit it: they
 * prove nothing, so forging them gains nothing.
 */
function repeatsQuestion(bytes: Buffer, question: Buffer, end: number, rcode: number): boolean {
  const count = bytes.readUInt16BE(4);
  if (count === 0) return rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN;
  const repeated = bytes.toString('latin1', HEADER_BYTES, end);
  const sent = question.toString('latin1', HEADER_BYTES, end);
  return count === 1 && repeated.toLowerCase() === sent.toLowerCase();
}
