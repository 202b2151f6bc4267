import type { DnsType } from './resolver.ts';

/** The place in a message from which to parse; parsing advances it. */
interface Cursor {
  offset: number;
  /** The octets of names that may still be parsed. Pointers repeat the same octets in many names. */
  nameOctetsLeft: number;
}

const MAX_NAME_OCTETS = 255;
const MAX_POINTERS = 128;

/** The text of each octet in a name: lower case; `\ddd` for an octet that no host name can contain. */
const OCTET_TEXTS = Array.from({ length: 256 }, (_, octet) => {
  const text = String.fromCharCode(octet).toLowerCase();
  return /^[!-~]$/.test(text) && !/[.\\]/.test(text) ? text : `\\${String(octet).padStart(3, '0')}`;
});

/**
 * Parses a name (RFC 1035 §4.1.4), without the trailing dot. Throws a RangeError if it is malformed or ends
 * after the message. Costs at most 255 octets and 128 pointers, and takes both from `nameOctetsLeft`.
 */
function parseName(bytes: Buffer, cursor: Cursor): string {
  let name = '';
  let at = cursor.offset;
  let end = -1;
  let octets = 1;
  let pointers = 0;
  for (let label = bytes.readUInt8(at); label !== 0; label = bytes.readUInt8(at)) {
    cursor.nameOctetsLeft -= label >= 0xc0 ? 1 : label + 1;
    if (cursor.nameOctetsLeft < 0) throw new RangeError('The message has too many names.');
    if (label >= 0xc0) {
      const target = bytes.readUInt16BE(at) & 0x3fff;
      pointers += 1;
      if (target >= at || pointers > MAX_POINTERS)
        throw new RangeError('A name points forward or in circles.');
      if (end === -1) end = at + 2;
      at = target;
      continue;
    }
    octets += label + 1;
    if (label >= 0x40 || octets > MAX_NAME_OCTETS) throw new RangeError('A name is malformed.');
    if (name !== '') name += '.';
    for (const last = at + label; at < last;) name += OCTET_TEXTS[bytes.readUInt8(++at)];
    at += 1;
  }
  cursor.offset = end === -1 ? at + 1 : end;
  return name;
}

/** A resource record; `type` is null if it is not used here. Names are lower case, without trailing dot. */
type ResourceRecord = { owner: string; ttlSeconds: number } & RecordData;

type RecordData =
  | { type: Exclude<DnsType, 'MX'> | 'CNAME'; data: string }
  | { type: 'MX'; data: { exchange: string; priority: number } }
  | { type: 'SOA'; minimumSeconds: number }
  | { type: 'OPT'; extendedRcode: number }
  | { type: null };

const TYPE_CODES = { A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28, OPT: 41 } as const;
const CLASS_IN = 1;
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
function parseRecord(bytes: Buffer, cursor: Cursor): ResourceRecord {
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

/** Formats an address by RFC 5952, as URLs are serialized. */
function formatIPv6(octets: Buffer): string {
  const groups = octets.toString('hex').replaceAll(/.{4}(?!$)/g, '$&:');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}

/** The response codes that are treated differently (RFC 1035 §4.1.1, RFC 6891 §9). */
export const RCODE = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const;

export interface ReplyMessage {
  /** Includes the extended bits of EDNS (RFC 6891 §6.1.3). */
  rcode: number;
  answers: ResourceRecord[];
  authorities: ResourceRecord[];
}

/** `unrelated`: not an answer to the question. `truncated`: the question must be repeated over TCP. */
type ParsedReply = ReplyMessage | 'unrelated' | 'truncated' | 'malformed';

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
