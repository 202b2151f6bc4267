/** The files that a request attaches to its PDF. */
import { ApiError } from '#errors';
import type { OptionTable } from '#options';
import type { Attachment } from '../finish/finishing.ts';
import { checkNoUnknownMembers } from './check-members.ts';
import {
  type Body,
  formatChoices,
  getMember,
  inPlace,
  isName,
  isObject,
  parseObjects,
  throwInvalid,
  throwUnexpected,
  toLine,
} from './members.ts';

/** Base64 of RFC 4648 §4: padded, without white space, and with zeros in the spare bits of its end. */
const WRONG_DIGIT = /[^A-Za-z0-9+/]/;
/** The last digit of a text whose padding is as long as the index. */
const LAST_DIGITS = [/./, /[AEIMQUYcgkosw048]/, /[AQgw]/] as const;

/** Returns the bytes that a text of base64 has; for other texts, at least as many. */
function countBase64Bytes(text: string): number {
  return Math.max(0, Math.ceil(text.length / 4) * 3 - countPadding(text));
}

/** Decodes base64 into memory of its own, which can be transferred. Returns null if a character is wrong. */
export function parseBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const padding = countPadding(text);
  const digits = text.slice(0, text.length - padding);
  // One search: a pattern that repeats would need a stack as long as the text.
  if (text.length % 4 !== 0 || WRONG_DIGIT.test(digits)) return null;
  if (padding > 0 && !LAST_DIGITS[padding].test(digits.slice(-1))) return null;
  const bytes = new Uint8Array(countBase64Bytes(text));
  Buffer.from(bytes.buffer).write(text, 'base64');
  return bytes;
}

function countPadding(text: string): 0 | 1 | 2 {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

const MEMBER = 'attachments';

export const MAX_ATTACHMENTS = 20;
/** Bytes of all attached files together. */
export const MAX_ATTACHED_BYTES = 20 * 1024 * 1024;

/** The options of each of `attachments`. */
export const ATTACHMENT_OPTIONS = {
  name: {
    type: 'string',
    required: true,
    maxLength: 200,
    description: 'The file name, without slashes. No two may be equal, whatever their case.',
    example: 'rows.csv',
  },
  media_type: {
    type: 'string',
    default: 'application/octet-stream',
    description: 'The media type, without parameters.',
    example: 'text/csv',
  },
  base64: {
    type: 'string',
    required: true,
    contentEncoding: 'base64',
    description: 'The bytes in base64 (RFC 4648): padded, without white space.',
    example: 'YTtiCg==',
  },
  relationship: {
    type: 'string',
    enum: ['source', 'data', 'alternative', 'supplement', 'unspecified'],
    default: 'unspecified',
    description: 'The relationship of the file to the document (AFRelationship); case does not matter.',
    example: 'data',
  },
  description: {
    type: 'string',
    maxLength: 1_000,
    description: 'A description for readers, in one line.',
    example: 'The rows of the table',
  },
} as const satisfies OptionTable;
const ATTACHMENT_MEMBERS: ReadonlySet<string> = new Set(Object.keys(ATTACHMENT_OPTIONS));

/** ISO 32000-2, table 43. */
const RELATIONSHIPS: Readonly<Record<string, Attachment['relationship']>> = {
  source: 'Source',
  data: 'Data',
  alternative: 'Alternative',
  supplement: 'Supplement',
  unspecified: 'Unspecified',
};

/** RFC 6838 §4.2, without parameters: the PDF names a type, not a charset. */
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/i;

/** Checks the size of all attached files together, before any is decoded. Throws `payload_too_large`. */
export function checkAttachedSize(body: Body): void {
  const items = getMember(body, MEMBER);
  if (!Array.isArray(items)) return;
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const text = isObject(item) ? item['base64'] : undefined;
    if (typeof text === 'string') bytes += countBase64Bytes(text);
    if (bytes > MAX_ATTACHED_BYTES)
      throw new ApiError(
        'payload_too_large',
        `${MEMBER} may have at most 20 MiB (${MAX_ATTACHED_BYTES.toLocaleString('en')} bytes, decoded) together: send smaller files.`,
        { param: `${MEMBER}[${index}].base64` },
      );
  }
}

/** Parses the attached files. Throws `invalid_parameter`. */
export function parseAttachments(body: Body): readonly Attachment[] {
  const items = parseObjects(MEMBER, getMember(body, MEMBER), {
    max: MAX_ATTACHMENTS,
    example: '{"name": "data.csv", "media_type": "text/csv", "base64": "YTtiCg=="}',
  });
  const attachments = items.map((item, index) => {
    const place = `${MEMBER}[${index}]`;
    checkNoUnknownMembers(item, ATTACHMENT_MEMBERS, place);
    return inPlace(place, () => parseAttachment(item));
  });
  checkNames(attachments);
  return attachments;
}

function parseAttachment(item: Body): Attachment {
  return {
    name: parseName(item),
    mediaType: parseMediaType(item),
    relationship: parseRelationship(item),
    description: parseDescription(item),
    bytes: parseBytes(item),
  };
}

function parseName(item: Body): string {
  const { name } = item;
  const max = ATTACHMENT_OPTIONS.name.maxLength;
  return typeof name === 'string' && isName(name, max)
    ? name
    : throwUnexpected(
        'name',
        `a file name of 1 to ${max} characters without slashes or control characters, such as "data.csv"`,
        name,
      );
}

function parseMediaType(item: Body): string {
  const value = getMember(item, 'media_type');
  if (value === undefined) return ATTACHMENT_OPTIONS.media_type.default;
  return typeof value === 'string' && MEDIA_TYPE.test(value)
    ? value.toLowerCase()
    : throwUnexpected('media_type', 'a media type without parameters, such as "text/csv"', value);
}

function parseRelationship(item: Body): Attachment['relationship'] {
  const value = getMember(item, 'relationship');
  if (value === undefined) return 'Unspecified';
  const key = typeof value === 'string' ? value.toLowerCase() : '';
  const found = Object.hasOwn(RELATIONSHIPS, key) ? RELATIONSHIPS[key] : undefined;
  return found ?? throwUnexpected('relationship', formatChoices(Object.keys(RELATIONSHIPS)), value);
}

function parseDescription(item: Body): string | null {
  const value = getMember(item, 'description');
  if (value === undefined) return null;
  const max = ATTACHMENT_OPTIONS.description.maxLength;
  return (
    toLine(value, max) ??
    throwUnexpected(
      'description',
      `a text of 1 to ${max} characters in one line, without control characters`,
      value,
    )
  );
}

function parseBytes(item: Body): Uint8Array {
  const { base64 } = item;
  if (typeof base64 === 'string' && /^data:/i.test(base64))
    throwInvalid(
      'base64',
      'base64 must be the bytes alone: it is a data: URL, so send what follows its comma.',
    );
  return (
    (typeof base64 === 'string' ? parseBase64(base64) : null) ??
    throwUnexpected(
      'base64',
      "the file's bytes in base64 (RFC 4648), padded with =, without white space or line breaks",
      base64,
    )
  );
}

/** Checks that no two names are one on a system that ignores case. */
function checkNames(attachments: readonly Attachment[]): void {
  const seen = new Set<string>();
  for (const [index, { name }] of attachments.entries()) {
    const key = toNameKey(name);
    if (seen.has(key))
      throwInvalid(
        `${MEMBER}[${index}].name`,
        `${MEMBER}[${index}].name is the name of another attachment: names must differ in more than case.`,
      );
    seen.add(key);
  }
}

/** Returns the form in which names are compared. */
export function toNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
