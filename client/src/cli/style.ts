/** Colors of a terminal, by ANSI escapes. */
const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Color = keyof typeof CODES;
/** Formats a text in a color, or returns it as it is if the output is no terminal. */
export type Style = (color: Color, text: string) => string;

/** True if a stream gets colors: a terminal, unless NO_COLOR is set (no-color.org) or TERM is dumb. */
export function hasColors(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

export function createStyle(isColored: boolean): Style {
  return isColored ? (color, text) => `\u001b[${CODES[color]}m${text}\u001b[0m` : (_color, text) => text;
}
