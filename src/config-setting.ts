/** One row of the table of settings. */
export interface Setting<T> {
  /** The name of the environment variable. */
  env: string;
  /** The type as docs/operate/configuration.md shows it. */
  type: string;
  /** Parses the text of the variable. Throws an Error whose message completes the sentence "NAME …". */
  parse: (text: string) => T;
  /** The text that is parsed if the variable is unset or empty; null makes the value null. */
  default: string | null;
  /** The meaning, as docs/operate/configuration.md shows it. */
  sentence: string;
  /**
   * True if the value may also be in the file that `<env>_FILE` names, for secrets that a platform mounts.
   */
  secret?: true;
}

/** Creates a setting with a default. */
export function setting<T>(
  env: string,
  type: string,
  parse: (text: string) => T,
  fallback: string,
  sentence: string,
): Setting<T> {
  return { env, type, parse, default: fallback, sentence };
}

/** Creates a setting that is null if it is unset. */
export function optional<T>(
  env: string,
  type: string,
  parse: (text: string) => T,
  sentence: string,
): Setting<T | null> {
  return { env, type, parse, default: null, sentence };
}

/** Creates an optional setting that may also be in a file. */
export function secret(
  env: string,
  type: string,
  parse: (text: string) => string,
  sentence: string,
): Setting<string | null> {
  return { env, type, parse, default: null, sentence, secret: true };
}
