/** Escapes text for an attribute value, also without quotes. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>`=\s]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes text for the content of an element. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
