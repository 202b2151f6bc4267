import type { PdfAttachment } from './types.ts';

/** The content of an attachment. A text is encoded as UTF-8. */
export type AttachmentContent = ArrayBufferView | ArrayBuffer | Blob | string;

/** The members of an attachment besides its name and its bytes. */
export type AttachmentMembers = Omit<PdfAttachment, 'name' | 'base64'>;

/** A multiple of 3, so that only the last piece is padded; short enough to be spread into arguments. */
const PIECE_BYTES = 24_576;

/** Makes an attachment of a PDF. The media type of a Blob is used unless `members` has one. */
export async function encodeAttachment(
  name: string,
  content: AttachmentContent,
  members: AttachmentMembers = {},
): Promise<PdfAttachment> {
  // The API takes no parameters, such as the charset of a text.
  const type = content instanceof Blob ? content.type.split(';', 1)[0]?.trim() : '';
  return {
    name,
    base64: encodeBase64(await readContent(content)),
    ...(type ? { media_type: type } : {}),
    ...members,
  };
}

async function readContent(content: AttachmentContent): Promise<Uint8Array> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  // Not by its class: test runners give programs a Uint8Array of their own.
  if (ArrayBuffer.isView(content))
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  throw new TypeError('The content of an attachment is a Uint8Array, an ArrayBuffer, a Blob or a text.');
}

/** Encodes by RFC 4648, padded, in runtimes without `Uint8Array.prototype.toBase64` too. */
function encodeBase64(bytes: Uint8Array): string {
  let base64 = '';
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    base64 += btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES)));
  return base64;
}
