/** Reads the duration of WAV, FLAC, MP3 and Ogg. */

/** Returns the seconds of a WAV file; `bodyBytes` is its length if its own header does not tell. */
export function findWavDuration(bytes: Buffer, bodyBytes: number | null): number | null {
  let bytesPerSecond = 0;
  let at = 12;
  for (let chunks = 0; chunks < 100 && at + 8 <= bytes.length; chunks++) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    if (id === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16);
    if (id === 'data') {
      // A recorder that streams writes all ones, or 0.
      const isKnown = size !== 0 && size !== 0xffff_ffff;
      const length = isKnown ? size : bodyBytes === null ? 0 : bodyBytes - at - 8;
      return bytesPerSecond > 0 ? length / bytesPerSecond : null;
    }
    at += 8 + size + (size % 2);
  }
  return null;
}

/** Returns the seconds of a FLAC file by its STREAMINFO (RFC 9639 §8.2). */
export function findFlacDuration(bytes: Buffer): number | null {
  if (bytes.length < 26 || (bytes[4]! & 0x7f) !== 0) return null;
  const rate = bytes.readUIntBE(18, 3) >> 4;
  const samples = (bytes[21]! & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22);
  return rate === 0 ? null : samples / rate;
}

/** Kilobits per second by the index in a frame's header. */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** Padding between a tag and the first frame. */
const MAX_PADDING = 4_096;

interface Mp3Frame {
  isVersion1: boolean;
  isMono: boolean;
  bitrate: number;
  sampleRate: number;
  length: number;
}

/**
 * Returns the seconds of an MP3 by the header that encoders write into its first frame, or by its length in
 * bytes if its bitrate is constant.
 */
export function findMp3Duration(bytes: Buffer, bodyBytes: number | null): number | null {
  const start = findFirstFrame(bytes, skipId3(bytes));
  const frame = start === null ? null : parseMp3Frame(bytes, start);
  if (start === null || frame === null) return null;
  const samples = frame.isVersion1 ? 1152 : 576;
  const frames = findFrameCount(bytes, start, frame);
  if (frames !== null) return (frames * samples) / frame.sampleRate;
  return bodyBytes === null ? null : (bodyBytes - start) / (frame.bitrate / 8);
}

/** Returns the end of the ID3v2 tag, whose length has 7 bits per byte. */
function skipId3(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0;
  let length = 0;
  for (let at = 6; at < 10; at++) length = length * 128 + (bytes[at]! & 0x7f);
  return 10 + length + ((bytes[5]! & 0x10) === 0 ? 0 : 10);
}

/** Returns the first position with a frame that another follows, or null. */
function findFirstFrame(bytes: Buffer, from: number): number | null {
  for (let at = from; at < from + MAX_PADDING && at + 4 <= bytes.length; at++) {
    const frame = parseMp3Frame(bytes, at);
    if (frame === null) continue;
    const next = at + frame.length;
    if (next + 4 > bytes.length || parseMp3Frame(bytes, next) !== null) return at;
  }
  return null;
}

/** Parses a header of layer III; null if there is none at `at`. */
function parseMp3Frame(bytes: Buffer, at: number): Mp3Frame | null {
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xe6) !== 0xe2) return null;
  const version = (bytes[at + 1]! >> 3) & 3;
  const isVersion1 = version === 3;
  const kilobits = (isVersion1 ? BITRATES_1 : BITRATES_2)[bytes[at + 2]! >> 4] ?? 0;
  const rate = SAMPLE_RATES[(bytes[at + 2]! >> 2) & 3];
  if (version === 1 || kilobits === 0 || rate === undefined) return null;
  const sampleRate = isVersion1 ? rate : version === 2 ? rate / 2 : rate / 4;
  const bitrate = kilobits * 1_000;
  const padding = (bytes[at + 2]! >> 1) & 1;
  const length = Math.floor(((isVersion1 ? 144 : 72) * bitrate) / sampleRate) + padding;
  return { isVersion1, isMono: bytes[at + 3]! >> 6 === 3, bitrate, sampleRate, length };
}

/** Returns the number of frames that the header Xing, Info or VBRI has, or null. */
function findFrameCount(bytes: Buffer, start: number, { isVersion1, isMono }: Mp3Frame): number | null {
  const xing = start + 4 + (isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
  const isXing = /^(?:Xing|Info)$/.test(bytes.toString('latin1', xing, xing + 4));
  if (isXing && xing + 12 <= bytes.length && (bytes[xing + 7]! & 1) === 1)
    return bytes.readUInt32BE(xing + 8);
  const vbri = start + 36;
  const isVbri = bytes.toString('latin1', vbri, vbri + 4) === 'VBRI' && vbri + 18 <= bytes.length;
  return isVbri ? bytes.readUInt32BE(vbri + 14) : null;
}

/** Pages that may end a file: streams of video and sound take turns. */
const MAX_OGG_PAGES = 100;

/**
 * Returns the seconds of Ogg Vorbis or Opus (RFC 3533, RFC 7845): the position of the last page, which is at
 * the end of the file. Null if `isWhole` is false.
 */
export function findOggDuration(bytes: Buffer, isWhole: boolean): number | null {
  const packet = 27 + (bytes[26] ?? 0);
  const isOpus = bytes.toString('latin1', packet, packet + 8) === 'OpusHead';
  const isVorbis = bytes.toString('latin1', packet, packet + 7) === '\x01vorbis';
  if (!isWhole || (!isOpus && !isVorbis) || packet + 16 > bytes.length) return null;
  const rate = isOpus ? 48_000 : bytes.readUInt32LE(packet + 12);
  const skipped = isOpus ? bytes.readUInt16LE(packet + 10) : 0;
  const serial = bytes.readUInt32LE(14);
  let at = bytes.length;
  for (let pages = 0; pages < MAX_OGG_PAGES && at > 0; pages++) {
    at = bytes.lastIndexOf('OggS', at - 1, 'latin1');
    if (at < 0 || rate === 0) return null;
    if (at + 18 > bytes.length || bytes.readUInt32LE(at + 14) !== serial) continue;
    const position = bytes.readBigInt64LE(at + 6);
    if (position > 0n) return (Number(position) - skipped) / rate;
  }
  return null;
}
