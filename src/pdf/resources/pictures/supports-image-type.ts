import { trimSpaces } from '#html';

const SUPPORTED =
  /^image\/(?:avif|webp|png|apng|jpeg|jpg|pjpeg|gif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
const UNSUPPORTED = /^image\/(?:jxl|jp2|jpx|jxr|vnd\.ms-photo|heic|heif|tiff)$/;

/** Checks whether Chromium shows images of this type. Null for one that is not known here. */
export function supportsImageType(type: string): boolean | null {
  const name = trimSpaces(type).toLowerCase();
  if (name === '' || SUPPORTED.test(name)) return true;
  return UNSUPPORTED.test(name) ? false : null;
}
