/** The flags of the options of an operation: they are made of the service's tables of options. */
import type { Flag, FlagValues } from './command.ts';

/** A flag, and the option that it sets. The name of a flag that turns an option off begins with `no-`. */
export interface OptionFlag extends Flag {
  option: string;
  /** The option that is turned on with it. */
  needs?: string;
}

/** Returns the options that the flags set. */
export function parseOptionFlags(flags: readonly OptionFlag[], values: FlagValues): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const { name, option, needs, type } of flags) {
    const value = values[name];
    if (value === undefined || value === false) continue;
    options[option] = type === 'boolean' ? !name.startsWith('no-') : value;
    if (needs !== undefined) options[needs] = true;
  }
  return options;
}
