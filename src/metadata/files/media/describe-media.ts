/** Finds out which kind of audio or video a file is, and how long it lasts. */
import { findFlacDuration, findMp3Duration, findOggDuration, findWavDuration } from './audio.ts';
import { findMatroskaDuration } from './matroska.ts';
import { describeMp4, type MediaDescription } from './mp4.ts';

export type MediaFormat = 'mp4' | 'matroska' | 'wav' | 'flac' | 'mp3' | 'ogg';

/** The first bytes (latin1) of each format. */
const MAGIC: readonly (readonly [format: MediaFormat, start: RegExp])[] = [
  // A size below 512 MiB, which no text starts with.
  ['mp4', /^(?:.{4}ftyp|[\0-\x08\x0E-\x1F].{3}(?:moov|mdat))/s],
  ['matroska', /^\x1A\x45\xDF\xA3/],
  ['wav', /^RIFF.{4}WAVE/s],
  ['flac', /^fLaC/],
  ['mp3', /^ID3[\x02-\x04]/],
  ['ogg', /^OggS/],
];
const MP3_FRAME = /^\xFF[\xE2\xE3\xF2\xF3\xFA\xFB]/;
/** The media type of a format, as audio or as video. */
const TYPES: Readonly<Record<MediaFormat, readonly [audio: string, video: string]>> = {
  mp4: ['audio/mp4', 'video/mp4'],
  matroska: ['audio/webm', 'video/webm'],
  wav: ['audio/wav', 'audio/wav'],
  flac: ['audio/flac', 'audio/flac'],
  mp3: ['audio/mpeg', 'audio/mpeg'],
  ogg: ['audio/ogg', 'video/ogg'],
};

/** A longer recording is an error in its file. */
const MAX_SECONDS = 10_000_000;

/** Returns the format by the first bytes, or null. MP3 has a short mark, so its type must say audio. */
export function findMediaFormat(bytes: Buffer, declaredType: string): MediaFormat | null {
  const head = bytes.toString('latin1', 0, 16);
  const format = MAGIC.find(([, magic]) => magic.test(head))?.[0];
  if (format !== undefined) return format;
  return declaredType.startsWith('audio/') && MP3_FRAME.test(head) ? 'mp3' : null;
}

/** Returns the media type of a file; audio and video have the same formats, so the declared type decides. */
export function findMediaType(bytes: Buffer, format: MediaFormat, declaredType: string): string {
  const [audio, video] = TYPES[format];
  const isAudio =
    declaredType.startsWith('audio/') ||
    (format === 'mp4' && /^M4[AB]/.test(bytes.toString('latin1', 8, 12))) ||
    (format === 'ogg' && !declaredType.startsWith('video/'));
  const type = isAudio ? audio : video;
  // The declared type may be more exact, such as video/quicktime.
  return declaredType.split('/')[0] === type.split('/')[0] ? declaredType : type;
}

/** Describes audio or video that starts with `bytes`; `bodyBytes` is its whole length, if known. */
export function describeMedia(
  bytes: Buffer,
  format: MediaFormat,
  bodyBytes: number | null,
): MediaDescription {
  const found = format === 'mp4' ? describeMp4(bytes) : null;
  const seconds = found === null ? findDuration(bytes, format, bodyBytes) : found.durationSeconds;
  const isValid = seconds !== null && seconds > 0 && seconds <= MAX_SECONDS;
  return {
    durationSeconds: isValid ? Math.round(seconds * 1_000) / 1_000 : null,
    width: found?.width ?? null,
    height: found?.height ?? null,
  };
}

function findDuration(bytes: Buffer, format: MediaFormat, bodyBytes: number | null): number | null {
  if (format === 'matroska') return findMatroskaDuration(bytes);
  if (format === 'wav') return findWavDuration(bytes, bodyBytes);
  if (format === 'flac') return findFlacDuration(bytes);
  if (format === 'mp3') return findMp3Duration(bytes, bodyBytes);
  return format === 'ogg' ? findOggDuration(bytes, bytes.length === bodyBytes) : null;
}
