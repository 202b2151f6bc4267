const MAX_NAME_OCTETS = 255;
const MAX_POINTERS = 128;
const DOT = 0x2e;
const BACKSLASH = 0x5c;
/** Scratch space for the longest name as text, every octet escaped (`\ddd`). */
const text = Buffer.alloc(4 * MAX_NAME_OCTETS);

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
    const value = this.#bytes.readUInt16BE(this.offset);
    this.offset += 2;
    return value;
  }

  readUInt32(): number {
    const value = this.#bytes.readUInt32BE(this.offset);
    this.offset += 4;
    return value;
  }

  readBytes(length: number): Buffer {
    const end = this.offset + length;
    if (end > this.#bytes.length) throw new RangeError('The message ends too early.');
    const part = this.#bytes.subarray(this.offset, end);
    this.offset = end;
    return part;
  }

  /**
   * Reads a name: lower case, no trailing dot, empty for the root. Octets that no host name has are escaped
   * (`\ddd`).
   */
  readName(): string {
    let at = this.offset;
    let end = -1;
    let octets = 1;
    let pointers = 0;
    let length = 0;
    for (;;) {
      const label = this.#bytes.readUInt8(at);
      if (label === 0) break;
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
      if (length > 0) text[length++] = DOT;
      for (let i = at + 1; i <= at + label; i += 1) length = writeOctet(this.#bytes.readUInt8(i), length);
      at += label + 1;
    }
    this.offset = end === -1 ? at + 1 : end;
    return text.toString('latin1', 0, length);
  }

  /** Skips a name. */
  skipName(): void {
    for (;;) {
      const label = this.readUInt8();
      if (label === 0) return;
      if (label >= 0xc0) {
        this.offset += 1;
        return;
      }
      if (label >= 0x40) throw new RangeError('A name is malformed.');
      this.offset += label;
    }
  }
}

function writeOctet(octet: number, length: number): number {
  if (octet > 0x20 && octet < 0x7f && octet !== DOT && octet !== BACKSLASH) {
    text[length] = octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet;
    return length + 1;
  }
  text[length] = BACKSLASH;
  text.write(String(octet).padStart(3, '0'), length + 1, 'latin1');
  return length + 4;
}
