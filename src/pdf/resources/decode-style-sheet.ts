const CHARSET_RULE = /^@charset "([^"]{1,40})";/;
const CHARSET_PARAMETER = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i;

/**
 * Decodes a style sheet (CSS Syntax Module Level 3 §3.2): by its byte order mark, the Content-Type header,
 * its @charset rule, or as UTF-8, the encoding of documents in requests.
 */
export function decodeStyleSheet(body: Uint8Array, contentType: string): string {
  const decoder =
    findByteOrderMark(body) ?? CHARSET_PARAMETER.exec(contentType)?.[1] ?? findCharsetRule(body);
  return createDecoder(decoder).decode(body);
}

function findByteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

function findCharsetRule(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.subarray(0, 64)).toString('latin1');
  const label = CHARSET_RULE.exec(start)?.[1];
  // The rule itself is in an encoding that extends ASCII.
  return label !== undefined && /^utf-16/i.test(label) ? 'utf-8' : label;
}

function createDecoder(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
