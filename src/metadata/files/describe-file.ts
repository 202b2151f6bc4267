/** Describes a response that is not HTML, from the bytes at hand: image, PDF, feed, audio, video, JSON. */
import type { ContentType } from '../page/content-type.ts';
import { measureImage } from '../probe/measure-image.ts';
import { describeJsonFeed, describeXmlFeed, isJsonFeed, isXmlFeed } from './describe-feed.ts';
import { describeMedia, findMediaFormat, findMediaType } from './media/describe-media.ts';
import { describePdf } from './pdf/describe-pdf.ts';

export interface FileDetails {
  kind: 'image' | 'pdf' | 'feed' | 'audio' | 'video' | 'json' | 'other';
  /** The media type, by the contents if they tell; null if neither they nor the header do. */
  type: string | null;
  /** Pixels, of images and MP4. */
  width: number | null;
  height: number | null;
  /** Of a PDF or a feed. */
  title: string | null;
  /** Of a PDF. */
  pages: number | null;
  /** Of a feed. */
  entries: number | null;
  /** Of audio and video. */
  durationSeconds: number | null;
}

/** The bytes of a response that is not HTML. */
export interface FileBytes {
  /** From its start on, as far as it was read. */
  bytes: Buffer;
  contentType: ContentType | null;
  /** The length of the whole body; null if it is unknown. */
  bodyBytes: number | null;
}

const NOTHING = {
  width: null,
  height: null,
  title: null,
  pages: null,
  entries: null,
  durationSeconds: null,
} as const;

/** Describes a file. What cannot be found in the bytes at hand is null. */
export function describeFile(file: FileBytes): FileDetails {
  const declared = file.contentType?.essence ?? '';
  return (
    describeImageFile(file, declared) ??
    describeFeedFile(file, declared) ??
    describePdfFile(file, declared) ??
    describeMediaFile(file, declared) ?? {
      kind: findDeclaredKind(declared),
      type: declared || null,
      ...NOTHING,
    }
  );
}

function describeImageFile({ bytes }: FileBytes, declared: string): FileDetails | null {
  const image = measureImage(bytes, declared);
  return image === null ? null : { kind: 'image', ...NOTHING, ...image };
}

function describePdfFile({ bytes }: FileBytes, declared: string): FileDetails | null {
  if (!isPdf(bytes, declared)) return null;
  return { kind: 'pdf', type: 'application/pdf', ...NOTHING, ...describePdf(bytes) };
}

/** In a file that is declared as PDF, other bytes may come before its mark, as all readers allow. */
function isPdf(bytes: Buffer, declared: string): boolean {
  const at = bytes.subarray(0, 1_024).indexOf('%PDF-');
  return at === 0 || (at > 0 && declared === 'application/pdf');
}

function describeMediaFile({ bytes, bodyBytes }: FileBytes, declared: string): FileDetails | null {
  const format = findMediaFormat(bytes, declared);
  if (format === null) return null;
  const type = findMediaType(bytes, format, declared);
  const kind = type.startsWith('audio/') ? 'audio' : 'video';
  return { kind, type, ...NOTHING, ...describeMedia(bytes, format, bodyBytes) };
}

function describeFeedFile({ bytes, contentType }: FileBytes, declared: string): FileDetails | null {
  const type = declared || null;
  if (isXmlFeed(bytes)) {
    const feed = describeXmlFeed(bytes, contentType?.charset ?? null);
    return { kind: 'feed', type, ...NOTHING, ...feed };
  }
  if (!isJson(declared) || !isJsonFeed(bytes)) return null;
  return { kind: 'feed', type, ...NOTHING, ...describeJsonFeed(bytes) };
}

function isJson(type: string): boolean {
  return /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type);
}

function findDeclaredKind(type: string): FileDetails['kind'] {
  if (isJson(type)) return 'json';
  if (type === 'application/pdf') return 'pdf';
  if (type === 'application/rss+xml' || type === 'application/atom+xml') return 'feed';
  const [kind = ''] = type.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'other';
}

/** Bytes that tell what a file is. */
const SNIFFED_BYTES = 4_096;
/** The size of an image comes before its pixels. */
const MAX_IMAGE_BYTES = 262_144;

/**
 * Returns whether more bytes can tell more of a file that was read so far: to its end for PDFs and feeds, up
 * to size or duration for images and media, no further than its first bytes for others.
 */
export function needsFileBytes(file: FileBytes): boolean {
  const { bytes, contentType } = file;
  const declared = contentType?.essence ?? '';
  if (bytes.length < SNIFFED_BYTES || isPdf(bytes, declared) || isXmlFeed(bytes)) return true;
  if (isJson(declared)) return isJsonFeed(bytes);
  const image = describeImageFile(file, declared);
  if (image !== null) return image.width === null && bytes.length < MAX_IMAGE_BYTES;
  return describeMediaFile(file, declared)?.durationSeconds === null;
}
