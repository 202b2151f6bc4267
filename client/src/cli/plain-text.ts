/** Text of a service or a file, made safe for a terminal. */

/** Control characters, and those that change the direction of text (UAX #9). */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const CONTROLS_OF_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces white space by one space and each other control character by U+FFFD. */
export function toPlainText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(CONTROLS, '\ufffd');
}

/** Replaces each control character but line feeds and tabs by U+FFFD: for the lines of a table. */
export function toPlainLines(text: string): string {
  return text.replaceAll(CONTROLS, (character) => (/[\n\t]/.test(character) ? character : '\ufffd'));
}

/** Formats JSON in ASCII escapes for every character that controls a terminal. */
export function toPlainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    CONTROLS_OF_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
