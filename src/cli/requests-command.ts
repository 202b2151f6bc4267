import { ApiError } from '#errors';
import type { Command } from './command.ts';
import { formatFacts } from './format-table.ts';

export const showRequestCommand: Command = {
  name: 'requests show',
  positionals: ['request id'],
  options: {},
  usage: 'requests show <request id>',
  help: 'Shows a request by the id of its response (x-request-id, request_id): its account, key, operation, status and time. Requests with a key are kept for 7 days and are stored within seconds.',
  async run({ accounts, keys, usage }, { positionals: [id = ''] }) {
    const line = await usage.findRequest(id, null);
    if (line === null)
      throw new ApiError(
        'not_found',
        `There is no request ${id} in the last 7 days: requests without a valid key are in the log of the service only.`,
      );
    const { id: _, accountId, keyId, requestId, atMs, ...details } = line;
    const account = await accounts.findAccount(accountId);
    const key = (await keys.findKey(keyId))?.key;
    // Its members in the order of the log, also those that later releases add.
    const members = Object.entries(details).map(
      ([name, value]) => [toSnakeCase(name), value as unknown] as const,
    );
    const known = {
      request_id: requestId,
      at: new Date(atMs).toISOString(),
      account: account?.email ?? accountId,
      plan: account?.plan ?? '',
      key: key ? `${key.name} (${key.prefix}…${key.lastFour})` : keyId,
      key_id: keyId,
      account_id: accountId,
    };
    const all = Object.entries({ ...known, ...Object.fromEntries(members) });
    return {
      text: formatFacts(all.map(([name, value]) => [name, formatValue(value)])),
      json: Object.fromEntries(all),
    };
  },
};

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function formatValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${(value ?? '') as string | number}`;
  return Object.entries(value)
    .map(([name, part]) => `${name} ${part as string | number}`)
    .join(', ');
}
