import type { RateLimit } from '../../index.ts';
import { type Command, isOn } from '../command.ts';
import { createClient, findCredentials, PROFILE_FLAG } from '../connect.ts';
import { EXIT } from '../exit-codes.ts';
import { formatFields } from '../format/fields.ts';
import { writeJson } from '../write-json.ts';

export const statusCommand: Command = {
  name: 'status',
  summary: 'Try the key and show its limit',
  usage: ['status [flags]'],
  description: 'Sends one request, which counts.',
  maxArguments: 0,
  flags: [{ name: 'json', type: 'boolean', summary: 'Write JSON' }, PROFILE_FLAG],
  examples: ['utility-api status'],
  run: async ({ flags, session }) => {
    const credentials = findCredentials(session, flags);
    const { rateLimit } = await createClient(session, credentials)
      .validateEmail('ann@example.com', { check_mx: false, suggest: false }, { signal: session.signal })
      .withResponse();
    const { url, key, source } = credentials;
    const shown = `${key.slice(0, 8)}…${key.slice(-4)}`;
    const { limit = null, remaining = null } = rateLimit ?? {};
    if (isOn(flags, 'json')) await writeJson(session, { url, key: shown, source, limit, remaining }, true);
    else
      await session.write(
        formatFields(
          [
            ['Service', url],
            ['Key', `${shown}, valid`],
            ['From', source],
            ['Limit', limit && `${limit} requests per minute, ${remaining} left in this one`],
          ],
          session.style,
        ),
      );
    return EXIT.ok;
  },
};

/** Formats a limit for the end of a sentence. */
export function describeLimit(rateLimit: RateLimit | undefined): string {
  return rateLimit ? `: ${rateLimit.limit} requests per minute` : '';
}
