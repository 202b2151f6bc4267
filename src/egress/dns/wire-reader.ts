const MAX_NAME_OCTETS = 255;
const MAX_POINTERS = 128;

/** The text of each octet in a name: lower case; `\ddd` if no host name has the octet. */
const OCTET_TEXTS = Array.from({ length: 256 }, (_, octet) => {
  const text = String.fromCharCode(octet).toLowerCase();
  return /^[!-~]$/.test(text) && !/[.\\]/.test(text) ? text : `\\${String(octet).padStart(3, '0')}`;
});

/**
 * Reads a DNS message (RFC 1035 §4.1) octet by octet, never past its end. Throws a RangeError if the message
 * ends too early or a name is malformed. Reading a name costs at most 255 octets and 128 pointers.
 */
export class WireReader {
  readonly #bytes: Buffer;
  offset: number;

  constructor(bytes: Buffer, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  readUInt8(): number {
    return this.#bytes.readUInt8(this.offset++);
  }

  readUInt16(): number {
    this.offset += 2;
    return this.#bytes.readUInt16BE(this.offset - 2);
  }

  readUInt32(): number {
    this.offset += 4;
    return this.#bytes.readUInt32BE(this.offset - 4);
  }

  readBytes(length: number): Buffer {
    this.skip(length);
    return this.#bytes.subarray(this.offset - length, this.offset);
  }

  skip(length: number): void {
    this.offset += length;
    if (this.offset > this.#bytes.length) throw new RangeError('The message ends too early.');
  }

  /** Reads a name without the trailing dot; empty for the root. */
  readName(): string {
    let name = '';
    let at = this.offset;
    let end = -1;
    let octets = 1;
    let pointers = 0;
    for (let label = this.#bytes.readUInt8(at); label !== 0; label = this.#bytes.readUInt8(at)) {
      if (label >= 0xc0) {
        const target = this.#bytes.readUInt16BE(at) & 0x3fff;
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
      for (const last = at + label; at < last;) name += OCTET_TEXTS[this.#bytes.readUInt8(++at)];
      at += 1;
    }
    this.offset = end === -1 ? at + 1 : end;
    return name;
  }
}
