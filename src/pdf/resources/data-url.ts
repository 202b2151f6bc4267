import type { Resource } from '#browser';

/** Decodes a data: URL (Fetch standard §6); null for another one. */
export function decodeDataUrl(url: string): Resource | null {
  const comma = url.indexOf(',');
  if (!/^data:/i.test(url) || comma < 0) return null;
  const type = url.slice('data:'.length, comma).trim();
  const isBase64 = /;\s*base64$/i.test(type);
  const bytes = Buffer.from(unescapePercent(url.slice(comma + 1)), 'latin1');
  return {
    url,
    status: 200,
    headers: [['content-type', isBase64 ? type.slice(0, type.lastIndexOf(';')) : type]],
    body: isBase64 ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes,
  };
}

/** Returns the bytes of percent-encoded text, one character each. */
function unescapePercent(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Formats a data: URL (Fetch standard §6). `fragment` begins with "#" or is empty. */
export function formatDataUrl(contentType: string, body: Uint8Array, fragment: string): string {
  const type = /^[\w.+-]+\/[\w.+-]+(?:;charset=[\w-]+)?/.exec(contentType)?.[0] ?? 'application/octet-stream';
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
  return `data:${type};base64,${base64}${escapeFragment(fragment)}`;
}

/** Escapes what could end an attribute value or a url() token. */
function escapeFragment(fragment: string): string {
  return fragment.replace(
    /["'()&\\\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
