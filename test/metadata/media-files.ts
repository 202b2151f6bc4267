/** Small audio and video files, written by hand: their heads are valid, and they contain nothing to play. */

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const le32 = (value: number) => u32(value).reverse();
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const box = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), latin1(type), body]);
};

/** `isLong`: times of 64 bits. `isFragmented`: the duration is that of the fragments. */
export function mp4(
  seconds: number,
  { brand = 'isom', width = 0, height = 0, isLong = false, isFragmented = false } = {},
): Buffer {
  const scale = 600;
  const units = isFragmented ? 0 : seconds * scale;
  const times = isLong
    ? [u32(0x01000000), Buffer.alloc(16), u32(scale), u32(0), u32(units)]
    : [u32(0), Buffer.alloc(8), u32(scale), u32(units)];
  const track = box('trak', box('tkhd', Buffer.alloc(76), u32(width * 65_536), u32(height * 65_536)));
  const fragments = box('mvex', box('mehd', u32(0), u32(seconds * scale)));
  return Buffer.concat([
    box('ftyp', latin1(brand), u32(0)),
    box('free', Buffer.alloc(3)),
    box('moov', box('mvhd', ...times, Buffer.alloc(80)), track, ...(isFragmented ? [fragments] : [])),
    box('mdat', Buffer.alloc(16)),
  ]);
}

const element = (id: number[], body: Buffer) =>
  Buffer.concat([Buffer.from(id), Buffer.from([0x40 | (body.length >> 8), body.length & 255]), body]);

/** The segment has an unknown size, as recorders write it. */
export function webm(seconds: number): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1_000);
  const info = Buffer.concat([
    element([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40])),
    element([0x44, 0x89], duration),
  ]);
  const segment = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], Buffer.alloc(10)),
    Buffer.from(segment),
    element([0xec], Buffer.alloc(20)),
    element([0x15, 0x49, 0xa9, 0x66], info),
  ]);
}

export function wav(seconds: number, declared = seconds * 16_000): Buffer {
  const format = Buffer.concat([latin1('fmt '), le32(16), Buffer.alloc(8), le32(16_000), Buffer.alloc(4)]);
  const data = Buffer.concat([latin1('data'), le32(declared), Buffer.alloc(seconds * 16_000)]);
  return Buffer.concat([
    latin1('RIFF'),
    le32(0),
    latin1('WAVE'),
    format,
    latin1('LIST'),
    le32(3),
    Buffer.alloc(4),
    data,
  ]);
}

/** 44,100 samples per second. */
export function flac(seconds: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUIntBE(44_100 << 4, 10, 3);
  info.writeUInt32BE(seconds * 44_100, 14);
  return Buffer.concat([latin1('fLaC'), Buffer.from([0x80, 0, 0, 34]), info]);
}

/** Frames of 128 kbit/s at 44,100 Hz: 417 bytes of 1,152 samples. `frames`: what the header Xing says. */
export function mp3({ tagBytes = 0, frames = 0, bodies = 4 } = {}): Buffer {
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);
  const first = Buffer.from(frame);
  if (frames > 0) Buffer.concat([latin1('Xing'), u32(1), u32(frames)]).copy(first, 36);
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (tagBytes >> shift) & 127));
  const tag = Buffer.concat([latin1('ID3'), Buffer.from([4, 0, 0]), size, Buffer.alloc(tagBytes)]);
  const others = Array.from({ length: bodies }, () => frame);
  return Buffer.concat([tagBytes > 0 ? tag : Buffer.alloc(0), first, ...others]);
}

/** Opus counts 48,000 samples per second, and skips 312. A page of another stream ends the file. */
export function opus(seconds: number): Buffer {
  const page = (position: number, serial: number, body: Buffer) =>
    Buffer.concat([
      latin1('OggS\0\0'),
      le32(position),
      le32(0),
      le32(serial),
      Buffer.alloc(8),
      Buffer.from([1, body.length]),
      body,
    ]);
  const head = Buffer.concat([latin1('OpusHead'), Buffer.from([1, 2, 56, 1]), Buffer.alloc(7)]);
  return Buffer.concat([
    page(0, 7, head),
    page(seconds * 48_000 + 312, 7, Buffer.alloc(50)),
    page(999_999_999, 8, Buffer.alloc(50)),
  ]);
}
