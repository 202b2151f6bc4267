/** Small images of each type, written by hand: only their heads are valid. */

const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const u32 = (value: number) => u16(value >>> 16, value & 0xffff);
const le16 = (value: number) => Buffer.from([value & 255, value >> 8]);
const le32 = (value: number) => Buffer.concat([le16(value & 0xffff), le16(value >>> 16)]);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const box = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), latin1(type), body]);
};

export const png = (width: number, height: number) =>
  Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    u32(13),
    latin1('IHDR'),
    u32(width),
    u32(height),
    Buffer.from([8, 6, 0, 0, 0, 0, 0, 0, 0]),
  ]);

export const gif = (width: number, height: number) =>
  Buffer.concat([latin1('GIF89a'), le16(width), le16(height), Buffer.alloc(8)]);

/** `metadataBytes`: the size of an EXIF segment before the size of the image. */
export const jpeg = (width: number, height: number, metadataBytes = 0) => {
  const segments: Buffer[] = [];
  for (let left = metadataBytes; left > 0; left -= 60_000) {
    const length = Math.min(left, 60_000);
    segments.push(u16(0xffe1, length + 2), Buffer.alloc(length, 'Exif'));
  }
  const frame = [u16(0xffc0, 17), Buffer.from([8]), u16(height, width), Buffer.alloc(10)];
  return Buffer.concat([u16(0xffd8), ...segments, ...frame]);
};

export const webp = (width: number, height: number) =>
  Buffer.concat([
    latin1('RIFF'),
    le32(30),
    latin1('WEBPVP8X'),
    le32(10),
    Buffer.alloc(4),
    le32(width - 1).subarray(0, 3),
    le32(height - 1).subarray(0, 3),
  ]);

export const avif = (width: number, height: number) => {
  const size = box('ispe', u32(0), u32(width), u32(height));
  const associations = box('ipma', u32(0), u32(1), u16(1), Buffer.from([1, 1]));
  const properties = box('iprp', box('ipco', size), associations);
  return Buffer.concat([
    box('ftyp', latin1('avif'), u32(0), latin1('mif1')),
    box('meta', u32(0), box('pitm', u32(0), u16(1)), properties),
  ]);
};

/** An icon with images of these sizes; 256 is stored as 0. */
export const ico = (...sizes: number[]) =>
  Buffer.concat([
    le16(0),
    le16(1),
    le16(sizes.length),
    ...sizes.map((size) => Buffer.concat([Buffer.from([size & 255, size & 255]), Buffer.alloc(14)])),
  ]);

export const bmp = (width: number, height: number) =>
  Buffer.concat([latin1('BM'), Buffer.alloc(12), le32(40), le32(width), le32(height)]);

export const svg = (attributes: string) =>
  Buffer.from(`<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`);
