const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Checks that a JSON text has at most `max` commas, arrays and objects: they decide how long JSON.parse
 * takes. One string of 2 MiB takes 3 ms, 2 MiB of `[[[[…` take 150 ms. The result for text that is not JSON
 * is meaningless.
 */
export function hasAtMostValues(json: Uint8Array, max: number): boolean {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      at += 1;
      for (let inside = json[at]; inside !== QUOTE && at < json.length; inside = json[at])
        at += inside === BACKSLASH ? 2 : 1;
    } else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      count += 1;
      if (count > max) return false;
    }
  }
  return true;
}
