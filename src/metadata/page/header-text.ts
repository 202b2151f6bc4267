const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a latin1 header value whose bytes are UTF-8, as raw paths are; another is returned as is. */
export function decodeHeaderText(value: string): string {
  if (!/[\x80-\xFF]/.test(value)) return value;
  try {
    return strictUtf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
