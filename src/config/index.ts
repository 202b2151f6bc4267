/**
 * The configuration: one table of settings, parsed from the environment. No other module reads process.env,
 * and only `app/`, `main.ts` and the command line use a Config.
 */
export { type Config, ConfigError, getAdminCommand, loadConfig, loadVersion } from './load-config.ts';
export { SETTINGS } from './settings.ts';
export type { Setting } from './values.ts';
