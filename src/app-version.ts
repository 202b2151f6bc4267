import { readFileSync } from 'node:fs';

/** Loads the version of the service from package.json, the only place that sets it. */
export function loadVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
