/** Opens the client of the API with the key and the address that the environment or a profile has. */
import { type Retry, UtilityApi } from '../index.ts';
import { type Flag, type FlagValues, getText } from './command.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { toPlainText } from './plain-text.ts';
import {
  DEFAULT_PROFILE,
  getConfigPath,
  isReadableByOthers,
  loadProfiles,
  type Profile,
} from './profiles.ts';
import type { Session } from './session.ts';

export const PROFILE_FLAG: Flag = {
  name: 'profile',
  type: 'text',
  placeholder: 'name',
  summary: 'Use the key and the address of this profile',
};

/** The key and the address of a run, and their source for `status`. */
export interface Credentials extends Profile {
  source: string;
}

/**
 * Finds the key and the address. A profile that a flag names comes first, then the variables, then the
 * profile of UTILITY_API_PROFILE. The key of a profile is sent to the address of that profile only.
 */
export function findCredentials({ env, note }: Session, flags: FlagValues): Credentials {
  const path = getConfigPath(env);
  const named = getText(flags, 'profile');
  const name = named ?? (env['UTILITY_API_PROFILE'] || DEFAULT_PROFILE);
  const { UTILITY_API_KEY: key = '', UTILITY_API_URL: url = '' } = env;
  if (named === undefined && key !== '' && url !== '') return { key, url, source: 'the environment' };
  const profiles = loadProfiles(path);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile && isReadableByOthers(path))
    note(`Warning: other users can read ${path}, which has your keys: chmod 600 it.`);
  if (named !== undefined || env['UTILITY_API_PROFILE'])
    if (!profile)
      throw new CliError(
        EXIT.auth,
        `There is no profile ${toPlainText(name)}: run utility-api login --profile ${toPlainText(name)}.`,
      );
  if (named !== undefined && profile) return { ...profile, source: `the profile ${name}` };
  if (key !== '' && profile)
    return { key, url: profile.url, source: `UTILITY_API_KEY, and the profile ${name}` };
  if (profile && (url === '' || isSameAddress(url, profile.url)))
    return { ...profile, source: `the profile ${name}` };
  throw new CliError(EXIT.auth, describeMissing(key, url));
}

function describeMissing(key: string, url: string): string {
  const how = 'Run utility-api login, or set UTILITY_API_URL and UTILITY_API_KEY.';
  if (key !== '') return `The address of the service is missing. ${how}`;
  if (url !== '') return `There is no key for ${toPlainText(url)}. ${how}`;
  return `There is no key. ${how}`;
}

/** True if two URLs are the same address. The key of one service must not reach another. */
function isSameAddress(one: string, other: string): boolean {
  const normalize = (text: string): string =>
    URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;
  return normalize(one) === normalize(other);
}

/** Opens the client. `onRetry` is called before each wait; by default a long wait is noted. */
export function connect(
  session: Session,
  flags: FlagValues,
  options: { maxRetries?: number; onRetry?: (retry: Retry) => void } = {},
): UtilityApi {
  return createClient(session, findCredentials(session, flags), options);
}

/** Creates a client. Throws CliError if the key or the address is malformed. */
export function createClient(session: Session, { key, url }: Profile, options: object = {}): UtilityApi {
  try {
    return new UtilityApi({
      apiKey: key,
      baseUrl: url,
      onRetry: (retry) => noteWait(session, retry),
      ...options,
    });
  } catch (error) {
    throw new CliError(EXIT.usage, (error as Error).message);
  }
}

function noteWait({ note }: Session, { delayMs, error }: Retry): void {
  if (delayMs >= 2_000) note(`${toPlainText(error.message)} Waiting ${Math.ceil(delayMs / 1000)} s …`);
}
