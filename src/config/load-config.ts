/** Parses the environment by the table of settings. No other file reads process.env. */
import { readFileSync } from 'node:fs';
import { type Setting, addMonthlyQuotas } from './values.ts';
import { SETTINGS } from './settings.ts';

/** The settings as typed values, by camelCase name. */
export type Config = {
  [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['parse']> | NullOf<(typeof SETTINGS)[K]>;
};
type NullOf<S> = S extends Setting<infer T> ? (null extends T ? null : never) : never;

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong with the environment: one sentence for each bad value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Returns the whole configuration. Throws a ConfigError that names every bad value. */
export function loadConfig(env: Environment = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, row]) => {
    try {
      const text = loadText(row, env) ?? row.default;
      return [name, text === null ? null : row.parse(text)];
    } catch (error) {
      problems.push(`${row.env} ${(error as Error).message}.`);
      return [name, null];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return combineSettings(Object.fromEntries(entries) as Config);
}

/** Applies the settings that depend on others. */
function combineSettings(config: Config): Config {
  const { plans, monthlyQuotas } = config;
  if (monthlyQuotas === null) return config;
  try {
    return { ...config, plans: addMonthlyQuotas(plans, monthlyQuotas) };
  } catch (error) {
    throw new ConfigError([`${SETTINGS.monthlyQuotas.env} ${(error as Error).message}.`]);
  }
}

/**
 * Returns the text of a setting, from its variable, else from the file of a secret; null if neither has one.
 */
function loadText({ env: name, secret }: Setting<unknown>, env: Environment): string | null {
  const text = env[name]?.trim();
  if (text) return text;
  const file = secret ? env[`${name}_FILE`] : undefined;
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    throw new Error(`cannot be read: the file that ${name}_FILE names does not exist or may not be read`);
  }
}
