/** Parses the environment by the table of settings. No other file reads process.env. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** In a built tree (`npm run build`), a script beside the sources. */
const SCRIPT = fileURLToPath(new URL('../../bin/admin', import.meta.url));
/** In the checkout of a tree that `npm start` runs. The Node of a shell may be too old for the script. */
const CHECKOUT_SCRIPT = resolve(SCRIPT, '../../../scripts/find-entry.mjs');

/**
 * Returns the command line as messages name it: the script of a built tree, or the npm script of a checkout.
 */
export function getAdminCommand(): string {
  return existsSync(SCRIPT) && !existsSync(CHECKOUT_SCRIPT) ? SCRIPT : 'npm run --silent admin --';
}

/** Loads the version of the service from package.json, the only place that sets it. */
export function loadVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
