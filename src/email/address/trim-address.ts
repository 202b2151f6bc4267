/** Removes outer white space (Unicode White_Space, byte order mark, zero-width space) in linear time. */
export function trimAddress(text: string): string {
  const trimmed = text.trim();
  let start = 0;
  let end = trimmed.length;
  while (start < end && isBlank(trimmed.charCodeAt(start))) start++;
  while (end > start && isBlank(trimmed.charCodeAt(end - 1))) end--;
  return end - start === trimmed.length ? trimmed : trimmed.slice(start, end);
}

/** True for what `String.trim` removes, and for U+200B (zero-width space) and U+0085 (next line). */
function isBlank(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x2000) return unit === 0x85 || unit === 0xa0 || unit === 0x1680;
  if (unit <= 0x200b || unit === 0x3000 || unit === 0xfeff) return true;
  return unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f;
}
