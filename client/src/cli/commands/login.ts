import { text } from 'node:stream/consumers';
import { type Command, type CommandInput, getText, isOn } from '../command.ts';
import { createClient, PROFILE_FLAG } from '../connect.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { toPlainText } from '../plain-text.ts';
import { DEFAULT_PROFILE, getConfigPath, loadProfiles, storeProfiles } from '../profiles.ts';
import { promptLine } from './prompt-line.ts';
import { describeLimit } from './status.ts';

export const loginCommand: Command = {
  name: 'login',
  summary: 'Store a key and the address of the service',
  usage: ['login [--url <url>] [--profile <name>]'],
  description:
    'Asks for the address and the key, or reads the key from standard input. The key is tried with one request, and stored in a file that only you can read.',
  maxArguments: 0,
  flags: [
    {
      name: 'url',
      type: 'text',
      placeholder: 'url',
      summary: 'The address of the service; UTILITY_API_URL by default',
    },
    { name: 'no-verify', type: 'boolean', summary: 'Store the key without a request' },
    { ...PROFILE_FLAG, summary: 'Store them under this name' },
  ],
  examples: [
    'utility-api login --url https://api.example.com',
    'utility-api login --url http://127.0.0.1:3000 --profile local < key.txt',
  ],
  run: runLogin,
};

async function runLogin({ flags, session }: CommandInput): Promise<ExitCode> {
  const name = getText(flags, 'profile') ?? (session.env['UTILITY_API_PROFILE'] || DEFAULT_PROFILE);
  if (!/^[\w.-]{1,64}$/.test(name) || name === '__proto__')
    throw new CliError(
      EXIT.usage,
      'The name of a profile has letters, digits, dots, hyphens and underscores.',
    );
  const isPrompted = session.stdin.isTTY;
  const given = getText(flags, 'url') ?? session.env['UTILITY_API_URL'];
  if (!given && !isPrompted) throw new CliError(EXIT.usage, 'Name the address of the service with --url.');
  const url = (given || (await promptLine(session, 'Address of the service (https://…): ', false))).trim();
  const key = (isPrompted ? await promptLine(session, 'API key: ', true) : await text(session.stdin)).trim();
  if (key === '') throw new CliError(EXIT.usage, 'The key is empty: nothing was stored.');
  const api = createClient(session, { url, key });
  if (isPlainRemote(url))
    session.note('Warning: http:// sends the key unencrypted. Use https:// outside your own machine.');
  if (!isOn(flags, 'no-verify')) {
    const { rateLimit } = await api
      .validateEmail('ann@example.com', { check_mx: false, suggest: false }, { signal: session.signal })
      .withResponse();
    session.note(`The key is valid${describeLimit(rateLimit)}.`);
  }
  const path = getConfigPath(session.env);
  storeProfiles(path, { ...loadProfiles(path), [name]: { url, key } });
  session.note(`Stored as the profile ${name} in ${toPlainText(path)}.`);
  return EXIT.ok;
}

function isPlainRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Delete a stored key',
  usage: ['logout [--profile <name>]'],
  description: 'Deletes the key from this machine. It stays valid: revoke it in the dashboard.',
  maxArguments: 0,
  flags: [{ ...PROFILE_FLAG, summary: 'Delete the key of this name' }],
  examples: ['utility-api logout --profile local'],
  run: async ({ flags, session }) => {
    const name = getText(flags, 'profile') ?? (session.env['UTILITY_API_PROFILE'] || DEFAULT_PROFILE);
    const path = getConfigPath(session.env);
    const profiles = loadProfiles(path);
    if (!Object.hasOwn(profiles, name))
      throw new CliError(EXIT.auth, `There is no profile ${toPlainText(name)}.`);
    storeProfiles(path, Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name)));
    session.note(`The profile ${toPlainText(name)} is deleted.`);
    return EXIT.ok;
  },
};
