/** The bytes of each character, by encoding: the inverted tables of the platform's decoders. */
const tables = new Map<string, Map<string, Buffer>>();

/** Encodes text in a WHATWG encoding. Throws if it has no such character. */
export function encode(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (charset === 'iso-2022-jp') return encodeIso2022Jp(text);
  const table = getTable(charset);
  const parts = Array.from(text, (character) => {
    const bytes = table.get(character);
    if (bytes === undefined) throw new Error(`${charset} has no ${character}`);
    return bytes;
  });
  return Buffer.concat(parts);
}

function getTable(charset: string): Map<string, Buffer> {
  let table = tables.get(charset);
  if (table !== undefined) return table;
  tables.set(charset, (table = new Map()));
  const decoder = new TextDecoder(charset, { fatal: true });
  const add = (...bytes: number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(text).length === 1 && !table.has(text)) table.set(text, Buffer.from(bytes));
    } catch {
      // These bytes are no character.
    }
  };
  for (let first = 0; first < 256; first++) add(first);
  if (!/^(?:shift_jis|euc-|gb|big5)/.test(charset)) return table;
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) add(first, second);
  return table;
}

/** Encodes JIS X 0208 as EUC-JP without the high bits, between escapes (RFC 1468). */
function encodeIso2022Jp(text: string): Buffer {
  const runs = text.match(/[\0-\x7f]+|[^\0-\x7f]+/g) ?? [];
  const parts = runs.flatMap((run) => {
    if (run.charCodeAt(0) < 0x80) return [Buffer.from(run, 'latin1')];
    const bytes = encode(run, 'euc-jp').map((byte) => byte & 0x7f);
    return [Buffer.from('\x1b$B', 'latin1'), Buffer.from(bytes), Buffer.from('\x1b(B', 'latin1')];
  });
  return Buffer.concat(parts);
}
