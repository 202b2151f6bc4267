/** Returns a text of one line, trimmed; null if it is blank, too long, or has control characters. */
export function toLine(value: unknown, maxCharacters: number): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const isUsable =
    text.length > 0 &&
    text.length <= maxCharacters &&
    text.isWellFormed() &&
    !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
  return isUsable ? text : null;
}

/** Checks whether a text is the name of a file on every system: no folder, nothing that hides its end. */
export function isName(text: string, maxCharacters: number): boolean {
  return toLine(text, maxCharacters) === text && !/[\p{Bidi_Control}/\\]/u.test(text) && !/^\.+$/.test(text);
}
