/** Describes a response that is not HTML by its Content-Type; images and feeds also by their first bytes. */
import type { ContentType } from '../page/content-type.ts';
import { measureImage } from './measure-image.ts';
import { describeJsonFeed, describeXmlFeed, isJsonFeed, isXmlFeed } from './describe-feed.ts';

export interface FileDetails {
  kind: 'image' | 'pdf' | 'feed' | 'audio' | 'video' | 'json' | 'other';
  /** The media type: of an image by its contents, else by the header; null if neither tells it. */
  type: string | null;
  /** Pixels of an image. */
  width: number | null;
  height: number | null;
  /** Of a feed. */
  title: string | null;
  /** Of a feed. */
  entries: number | null;
}

/** The bytes of a response that is not HTML. */
export interface FileBytes {
  /** From its start on, as far as it was read. */
  bytes: Buffer;
  contentType: ContentType | null;
}

const NOTHING = {
  width: null,
  height: null,
  title: null,
  entries: null,
} as const;

/** Describes a file. What cannot be found in the bytes at hand is null. */
export function describeFile(file: FileBytes): FileDetails {
  const declared = file.contentType?.essence ?? '';
  return (
    describeImageFile(file, declared) ??
    describeFeedFile(file, declared) ?? {
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
 * Returns whether more bytes can tell more of a file that was read so far: to its end for feeds, up to the
 * size for images, no further than the first bytes for others.
 */
export function needsFileBytes(file: FileBytes): boolean {
  const { bytes, contentType } = file;
  const declared = contentType?.essence ?? '';
  if (bytes.length < SNIFFED_BYTES || isXmlFeed(bytes)) return true;
  if (isJson(declared)) return isJsonFeed(bytes);
  const image = describeImageFile(file, declared);
  return image !== null && image.width === null && bytes.length < MAX_IMAGE_BYTES;
}
