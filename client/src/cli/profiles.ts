/**
 * Profiles: the address of a service and a key, by name, in a file that only its owner can read:
 * $XDG_CONFIG_HOME/utility-api/config.json, by default in ~/.config.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError, EXIT } from './exit-codes.ts';
import { resolveLink } from './resolve-link.ts';

export interface Profile {
  url: string;
  key: string;
}

export type Profiles = Readonly<Record<string, Profile>>;

export const DEFAULT_PROFILE = 'default';

/** Returns the path of the file. The specification of XDG ignores relative paths. */
export function getConfigPath(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CONFIG_HOME'];
  const folder = base?.startsWith('/') ? base : join(env['HOME'] || homedir(), '.config');
  return join(folder, 'utility-api', 'config.json');
}

/** Loads the profiles; none if there is no file. Throws CliError if it is malformed. */
export function loadProfiles(path: string): Profiles {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const profiles = parseProfiles(text);
  if (!profiles)
    throw new CliError(
      EXIT.file,
      `${path} is not a file of profiles: repair or delete it, then log in again.`,
    );
  return profiles;
}

function parseProfiles(text: string): Profiles | null {
  try {
    const { profiles } = JSON.parse(text) as { profiles?: Record<string, Partial<Profile>> };
    const entries = Object.entries(profiles ?? {});
    if (profiles === undefined || entries.some(([, { url, key }]) => !isText(url) || !isText(key)))
      return null;
    return Object.fromEntries(entries.map(([name, { url = '', key = '' }]) => [name, { url, key }]));
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Stores the profiles. The file is replaced as a whole, and has the mode 0600 from its first byte. */
export function storeProfiles(path: string, profiles: Profiles): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A link, as dotfile managers make them, stays one.
  const target = resolveLink(path);
  const draft = `${target}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(draft, 0o600);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** True if other users of the machine may read the file. */
export function isReadableByOthers(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
