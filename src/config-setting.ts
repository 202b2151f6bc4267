/** One row of the table of settings. */
export interface Setting<T> {
  env: string;
  /** The type as docs/configuration.md shows it. */
  type: string;
  /** Parses the text of the variable. Throws an Error whose message completes the sentence "NAME …". */
  parse: (text: string) => T;
  /** The text that is parsed if the variable is unset or empty; null makes the value null. */
  default: string | null;
  sentence: string;
  /**
   * True if the value may also be in the file that `<env>_FILE` names, for secrets that a platform mounts.
   */
  secret?: true;
}

export function setting<T>(
  env: string,
  type: string,
  parse: (text: string) => T,
  fallback: string,
  sentence: string,
): Setting<T> {
  return { env, type, parse, default: fallback, sentence };
}

export function optional<T>(
  env: string,
  type: string,
  parse: (text: string) => T,
  sentence: string,
): Setting<T | null> {
  return { env, type, parse, default: null, sentence };
}

export function secret(
  env: string,
  type: string,
  parse: (text: string) => string,
  sentence: string,
): Setting<string | null> {
  return { env, type, parse, default: null, sentence, secret: true };
}
