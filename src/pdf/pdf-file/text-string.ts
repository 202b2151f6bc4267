/** Matches a text string in a dictionary: hexadecimal, or literal with escaped parentheses. */
const TEXT_STRING = String.raw`(?:<([0-9A-Fa-f]*)>|\(((?:[^\\()]|\\[\s\S])*)\))`;

/** Parses the text string (ISO 32000-1 §7.9.2.2) after a key. Null if there is none. */
export function parseTextString(dictionary: string, key: string): string | null {
  const [, hex, literal] = new RegExp(`/${key} ${TEXT_STRING}`).exec(dictionary) ?? [];
  if (hex !== undefined) return Buffer.from(hex.slice(4), 'hex').swap16().toString('utf16le');
  return (
    literal?.replace(/\\([0-7]{3}|[\s\S])/g, (_all, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
    ) ?? null
  );
}

/** Sets the text string after a key. As Chromium's own, it is UTF-16 in hexadecimal. */
export function setTextString(dictionary: string, key: string, text: string): string {
  const hex = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex').toUpperCase();
  const old = new RegExp(`/${key} ${TEXT_STRING}\n?`);
  return addEntry(dictionary.replace(old, ''), `/${key} <${hex}>`);
}

/** Adds an entry to a dictionary. Its text may hold a client's, so it is not a replacement pattern. */
export function addEntry(dictionary: string, entry: string): string {
  return dictionary.replace('<<', () => `<<${entry}\n`);
}
