import { readFileSync } from 'node:fs';

/** Returns the version of this release, as package.json has it. */
export function loadVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
