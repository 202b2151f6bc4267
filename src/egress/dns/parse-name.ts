/** The place in a message from which to parse; parsing advances it. */
export interface Cursor {
  offset: number;
  /** The octets of names that may still be parsed. Pointers repeat the same octets in many names. */
  nameOctetsLeft: number;
}

const MAX_NAME_OCTETS = 255;
const MAX_POINTERS = 128;

/** The text of each octet in a name: lower case; `\ddd` if no host name has the octet. */
const OCTET_TEXTS = Array.from({ length: 256 }, (_, octet) => {
  const text = String.fromCharCode(octet).toLowerCase();
  return /^[!-~]$/.test(text) && !/[.\\]/.test(text) ? text : `\\${String(octet).padStart(3, '0')}`;
});

/**
 * Parses a name (RFC 1035 §4.1.4), without the trailing dot. Throws a RangeError if it is malformed or ends
 * after the message. Costs at most 255 octets and 128 pointers, and takes both from `nameOctetsLeft`.
 */
export function parseName(bytes: Buffer, cursor: Cursor): string {
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
