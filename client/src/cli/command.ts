/** The form of a command: its help, its parser and the completions of shells are made from it. */
import type { ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

export interface Flag {
  /** The name without the two hyphens. */
  name: string;
  short?: string;
  /** `file` is a path, which shells complete. */
  type: 'boolean' | 'text' | 'number' | 'file';
  /** May be given several times; each value is kept. */
  isRepeatable?: boolean;
  /** The only values of a text. */
  values?: readonly string[];
  /** The name of the value in the help. */
  placeholder?: string;
  summary: string;
}

/** The values of flags by their name. Numbers are parsed. */
export type FlagValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface CommandInput {
  flags: FlagValues;
  arguments: readonly string[];
  session: Session;
}

export interface Command {
  name: string;
  summary: string;
  /** The lines of the help after `utility-api`. */
  usage: readonly string[];
  /** A paragraph of the help. */
  description?: string;
  /** The arguments that shells complete: the paths of files, or words. */
  completes?: 'files' | readonly string[];
  /** The most arguments that it takes. */
  maxArguments: number;
  flags: readonly Flag[];
  examples: readonly string[];
  run: (input: CommandInput) => Promise<ExitCode>;
}

/** Returns a text flag; undefined if it is not given. */
export function getText(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return value === undefined ? undefined : String(value);
}

/** Returns the values of a flag that may be repeated. */
export function getTexts(flags: FlagValues, name: string): readonly string[] {
  const value = flags[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly string[]) : [String(value)];
}

/** Returns true for a flag that is given. */
export function isOn(flags: FlagValues, name: string): boolean {
  return flags[name] === true;
}
