/** Takes outer white space away (Unicode White_Space, the byte order mark, the zero-width space), in linear time. */
export function trimAddress(text: string): string {
  const trimmed = text.trim();
  let start = 0;
  let end = trimmed.length;
  while (start < end && isBlank(trimmed.charCodeAt(start))) start++;
  while (end > start && isBlank(trimmed.charCodeAt(end - 1))) end--;
  return end - start === trimmed.length ? trimmed : trimmed.slice(start, end);
}

/** `String.trim` knows neither the zero-width space nor the next line character. */
function isBlank(unit: number): boolean {
  if (unit === 0x20 || unit === 0x85 || unit === 0x200b) return true;
  return (unit < 0x20 || unit > 0x7f) && String.fromCharCode(unit).trim() === '';
}
