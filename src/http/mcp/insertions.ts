/**
 * Large values of a JSON text, written while it is sent: the protocol's library sees short placeholders and
 * neither checks nor copies the values in one turn of the event loop.
 */

/** A value that is sent in place of a text that occurs once. */
export interface Insertion {
  placeholder: string;
  /** The size of the value before it is escaped or encoded. */
  bytes: number;
  produce: () => AsyncIterable<Buffer | string>;
}

/** Yields `text` with the insertions in place of their placeholders. */
export async function* insertValues(
  text: string,
  insertions: readonly Insertion[],
): AsyncGenerator<Buffer | string> {
  const places = insertions
    .map(({ placeholder, produce }) => ({
      at: text.indexOf(placeholder),
      length: placeholder.length,
      produce,
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  let from = 0;
  for (const { at, length, produce } of places) {
    yield text.slice(from, at);
    yield* produce();
    from = at + length;
  }
  yield text.slice(from);
}

const SLICE_BYTES = 64 * 1024;

/** Yields bytes of UTF-8 as the inner of a JSON string. */
export async function* escapeJson(bytes: Buffer): AsyncGenerator<string> {
  // A character that a slice cuts belongs to the next one.
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const slice = decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true });
    yield JSON.stringify(slice).slice(1, -1);
  }
}

/** Yields bytes as base64. */
export async function* encodeBase64(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    for (let at = 0; at < whole; at += BASE64_SLICE_BYTES)
      yield bytes.toString('base64', at, Math.min(at + BASE64_SLICE_BYTES, whole));
  }
  yield rest.toString('base64');
}

/** A multiple of 3. */
const BASE64_SLICE_BYTES = 3 * 64 * 1024;

export async function* yieldOnce(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
