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
