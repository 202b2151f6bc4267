/** Reads the duration of an ISO base media file: MP4, M4A, MOV, 3GP (ISO/IEC 14496-12). */

export interface MediaDescription {
  durationSeconds: number | null;
  /** Pixels of the picture, of MP4 only. */
  width: number | null;
  height: number | null;
}

/** Files have fewer than 100 boxes at one level. */
const MAX_BOXES = 1_000;

interface Box {
  type: string;
  start: number;
  end: number;
}

/**
 * Returns duration and picture size from the box `moov`; null if it is not in `bytes`, as in a file whose
 * index is at its end.
 */
export function describeMp4(bytes: Buffer): MediaDescription | null {
  const movie = findBox(bytes, { type: '', start: 0, end: bytes.length }, 'moov');
  if (movie === null) return null;
  const header = findBox(bytes, movie, 'mvhd');
  const fragments = findBox(bytes, movie, 'mvex');
  const fragmentHeader = fragments === null ? null : findBox(bytes, fragments, 'mehd');
  const scale = header === null ? null : readScale(bytes, header);
  const units =
    header === null ? 0 : readDuration(bytes, header, header.start + (isLong(bytes, header) ? 24 : 16));
  const total =
    units === 0 && fragmentHeader !== null
      ? readDuration(bytes, fragmentHeader, fragmentHeader.start + 4)
      : units;
  return {
    durationSeconds: scale === null || total === 0 ? null : total / scale,
    ...findPictureSize(bytes, movie),
  };
}

/** Yields the boxes in `parent` that start within the bytes; the last may be cut. */
function* listBoxes(bytes: Buffer, parent: Box): Generator<Box> {
  let at = parent.start;
  const limit = Math.min(parent.end, bytes.length);
  for (let count = 0; count < MAX_BOXES && at + 8 <= limit; count++) {
    let size = bytes.readUInt32BE(at);
    let start = at + 8;
    if (size === 1 && at + 16 <= limit) {
      size = Number(bytes.readBigUInt64BE(at + 8));
      start = at + 16;
    } else if (size === 0) size = limit - at;
    if (size < start - at) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), start, end: Math.min(at + size, limit) };
    at += size;
  }
}

function findBox(bytes: Buffer, parent: Box, type: string): Box | null {
  for (const box of listBoxes(bytes, parent)) if (box.type === type) return box;
  return null;
}

/** Version 1 of a box has times of 64 bits. */
function isLong(bytes: Buffer, { start }: Box): boolean {
  return bytes[start] === 1;
}

function readScale(bytes: Buffer, header: Box): number | null {
  const at = header.start + (isLong(bytes, header) ? 20 : 12);
  const scale = at + 4 <= header.end ? bytes.readUInt32BE(at) : 0;
  return scale === 0 ? null : scale;
}

/** Returns the duration at `at`; 0 if it is unknown, which is written as all ones or as 0. */
function readDuration(bytes: Buffer, box: Box, at: number): number {
  const isWide = isLong(bytes, box);
  if (at + (isWide ? 8 : 4) > box.end) return 0;
  if (isWide) {
    const value = bytes.readBigUInt64BE(at);
    return value === 0xffff_ffff_ffff_ffffn ? 0 : Number(value);
  }
  const value = bytes.readUInt32BE(at);
  return value === 0xffff_ffff ? 0 : value;
}

/** Returns the size of the first track that has one: sounds have none. Rotation is not applied. */
function findPictureSize(bytes: Buffer, movie: Box): { width: number | null; height: number | null } {
  for (const track of listBoxes(bytes, movie)) {
    const header = track.type === 'trak' ? findBox(bytes, track, 'tkhd') : null;
    // The sizes are the last 8 bytes, as fixed-point numbers.
    if (header === null || header.end - header.start < 84) continue;
    const width = bytes.readUInt16BE(header.end - 8);
    const height = bytes.readUInt16BE(header.end - 4);
    if (width > 0 && height > 0) return { width, height };
  }
  return { width: null, height: null };
}
