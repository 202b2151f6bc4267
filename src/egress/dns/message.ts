import type { Cursor } from './parse-name.ts';
import { CLASS_IN, parseRecord, TYPE_CODES, type ResourceRecord } from './parse-record.ts';
import type { DnsType } from './resolver.ts';

/** The response codes that are treated differently (RFC 1035 §4.1.1, RFC 6891 §9). */
export const RCODE = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const;

export interface ReplyMessage {
  /** Includes the extended bits of EDNS (RFC 6891 §6.1.3). */
  rcode: number;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
}

/** `unrelated`: not an answer to the question. `truncated`: the question must be repeated over TCP. */
export type ParsedReply = ReplyMessage | 'unrelated' | 'truncated' | 'malformed';

/** `network`: the connection was refused or ended. */
export type ExchangeResult = Exclude<ParsedReply, 'unrelated'> | 'network';

const HEADER = Buffer.from([0, 0, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
/** The last octet of the header's number of additional records: 1 with EDNS. */
const EDNS_OFFSET = 11;
/** An OPT record with a payload size that fits into one packet on nearly every path (DNS flag day 2020). */
const OPT = Buffer.from([0, 0, TYPE_CODES.OPT, 1232 >> 8, 1232 & 0xff, 0, 0, 0, 0, 0, 0]);
const NAME = /^[!-\-/-[\]-~]{1,63}(?:\.[!-\-/-[\]-~]{1,63})*$/;
const MAX_NAME_LENGTH = 253;
/** Some milliseconds of work. The names of 3,000 MX records, about as many as a message holds, need half. */
const MAX_NAME_OCTETS_PER_MESSAGE = 256 * 1024;

/**
 * Encodes one question of class IN with recursion desired. Its id is 0. Null if `name`, in lower case, cannot
 * be a domain name (RFC 1035 §2.3.4).
 */
export function encodeQuestion(name: string, type: DnsType, hasEdns = true): Buffer | null {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) return null;
  const end = HEADER.length + name.length + 6;
  const question = Buffer.allocUnsafe(hasEdns ? end + OPT.length : end);
  question.set(HEADER);
  let offset = HEADER.length;
  for (const label of name.split('.')) {
    question[offset] = label.length;
    offset += 1 + question.write(label, offset + 1, 'latin1');
  }
  question[offset] = 0;
  question.writeUInt16BE(TYPE_CODES[type], end - 4);
  question.writeUInt16BE(CLASS_IN, end - 2);
  if (hasEdns) question.set(OPT, end);
  question[EDNS_OFFSET] = hasEdns ? 1 : 0;
  return question;
}

/** Parses a message as the reply to `question`. Does not compare ids. Never throws. */
export function parseReply(bytes: Buffer, question: Buffer): ParsedReply {
  if (bytes.length < HEADER.length) return 'unrelated';
  const flags = bytes.readUInt16BE(2);
  const isAnswer = (flags & 0xf800) === 0x8000;
  const rcode = flags & 0x0f;
  const questionEnd = question[EDNS_OFFSET] === 1 ? question.length - OPT.length : question.length;
  if (!isAnswer || !isAbout(bytes, question, questionEnd, rcode)) return 'unrelated';
  if ((flags & 0x0200) !== 0) return 'truncated';
  try {
    const offset = bytes.readUInt16BE(4) === 1 ? questionEnd : HEADER.length;
    const cursor = { offset, nameOctetsLeft: MAX_NAME_OCTETS_PER_MESSAGE };
    const answers = parseSection(bytes, cursor, bytes.readUInt16BE(6));
    const authorities = parseSection(bytes, cursor, bytes.readUInt16BE(8));
    const additionals = parseSection(bytes, cursor, bytes.readUInt16BE(10));
    const opt = additionals.find((record) => record.type === 'OPT');
    return { rcode: rcode | (opt?.extendedRcode ?? 0), answers, authorities };
  } catch {
    return 'malformed';
  }
}

/**
 * Reports whether the message repeats the question, octet for octet except for case. Errors may omit it: they
 * prove nothing, so forging them gains nothing.
 */
function isAbout(bytes: Buffer, question: Buffer, questionEnd: number, rcode: number): boolean {
  const questions = bytes.readUInt16BE(4);
  if (questions !== 1) return questions === 0 && rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN;
  for (let at = HEADER.length; at < questionEnd; at += 1) {
    const octet = bytes[at] ?? -1;
    const isUpperCase = octet >= 0x41 && octet <= 0x5a;
    if ((isUpperCase ? octet | 0x20 : octet) !== question[at]) return false;
  }
  return true;
}

function parseSection(bytes: Buffer, cursor: Cursor, count: number): ResourceRecord[] {
  const records: ResourceRecord[] = [];
  for (let i = 0; i < count; i += 1) records.push(parseRecord(bytes, cursor));
  return records;
}
