import { type ApiKey, createKey, findOrCreateAccount, getKeyStatus, parseIsoTime } from '#accounts';
import { ApiError } from '#errors';
import { findAccount } from './accounts-commands.ts';
import { formatFacts, formatTable, formatTime } from './format-table.ts';
import { type Command, UsageError, recordOperatorAction } from './command.ts';

export const createKeyCommand: Command = {
  name: 'keys create',
  positionals: [],
  options: {
    email: { type: 'string' },
    plan: { type: 'string' },
    name: { type: 'string' },
    expires: { type: 'string' },
    operations: { type: 'string' },
    'client-cidrs': { type: 'string' },
  },
  usage:
    'keys create --email <email> [--plan <plan>] [--name <name>] [--expires <time>] [--operations <list>] [--client-cidrs <list>]',
  help: 'Creates a key and prints only the key, which is not shown again. Creates the account if it does not exist; the --plan of an existing account must match. <time> is ISO 8601 like 2030-01-31 or 2030-01-31T12:00:00Z; lists are separated by commas.',
  async run(context, { values }) {
    const { accounts, keys, plans, now } = context;
    const email = values['email'] as string | undefined;
    if (email === undefined) throw new UsageError(`--email is missing. Usage: ${createKeyCommand.usage}`);
    const plan = values['plan'] as string | undefined;
    const account = await findOrCreateAccount(accounts, plans, { email, plan }, now());
    const { key, secret } = await createKey(
      keys,
      {
        accountId: account.id,
        name: (values['name'] as string | undefined) ?? 'command line',
        expiresAtMs: parseExpiry(values['expires'] as string | undefined),
        operations: splitList(values['operations'] as string | undefined),
        clientCidrs: splitList(values['client-cidrs'] as string | undefined),
      },
      now(),
    );
    await recordOperatorAction(context, account.id, 'key.created', key.name);
    return {
      text: secret,
      json: { ...toKeyJson(key, account.email, now()), key: secret, plan: account.plan },
    };
  },
};

export const listKeysCommand: Command = {
  name: 'keys list',
  positionals: [],
  options: { email: { type: 'string' } },
  usage: 'keys list [--email <email>]',
  help: 'Lists the keys of one account, or all keys, newest first.',
  async run({ accounts, keys, now }, { values }) {
    const email = values['email'] as string | undefined;
    const account = email === undefined ? null : await findAccount(accounts, email);
    const emails = new Map<string, string>();
    const rows = [];
    const json = [];
    for (const key of await keys.listKeys(account?.id ?? null)) {
      const owner =
        emails.get(key.accountId) ?? (await accounts.findAccount(key.accountId))?.email ?? key.accountId;
      emails.set(key.accountId, owner);
      rows.push([
        key.id,
        owner,
        key.name,
        `${key.prefix}…${key.lastFour}`,
        getKeyStatus(key, now()),
        formatTime(key.lastUsedAtMs),
        formatTime(key.expiresAtMs),
      ]);
      json.push(toKeyJson(key, owner, now()));
    }
    return {
      text: formatTable(['ID', 'EMAIL', 'NAME', 'KEY', 'STATUS', 'LAST USED', 'EXPIRES'], rows),
      json,
    };
  },
};

export const revokeKeyCommand: Command = {
  name: 'keys revoke',
  positionals: ['id'],
  options: {},
  usage: 'keys revoke <id>',
  help: 'Revokes a key permanently; running servers refuse it within 5 s. keys list shows the ids.',
  async run(context, { positionals: [id = ''] }) {
    const { keys, now } = context;
    const isRevoked = await keys.revokeKey(id, now());
    const grant = await keys.findKey(id);
    if (!grant) throw new ApiError('not_found', `There is no key ${id}: keys list shows the ids.`);
    if (isRevoked) await recordOperatorAction(context, grant.key.accountId, 'key.revoked', grant.key.name);
    const text = isRevoked ? `Revoked the key ${id}.` : `The key ${id} was revoked before.`;
    return { text, json: { id, status: 'revoked', revoked_at: formatTime(grant.key.revokedAtMs) } };
  },
};

function parseExpiry(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = parseIsoTime(text);
  if (ms === null)
    throw new UsageError(`--expires must be a time like 2030-01-31 or 2030-01-31T12:00:00Z, not «${text}».`);
  return ms;
}

function splitList(text: string | undefined): string[] | null {
  return text === undefined ? null : text.split(',').map((part) => part.trim());
}

/** Formats a key for --json. */
export function toKeyJson(key: ApiKey, email: string, nowMs: number): Record<string, unknown> {
  return {
    id: key.id,
    email,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    status: getKeyStatus(key, nowMs),
    operations: key.operations,
    client_cidrs: key.clientCidrs,
    created_at: formatTime(key.createdAtMs),
    last_used_at: formatTime(key.lastUsedAtMs) || null,
    expires_at: formatTime(key.expiresAtMs) || null,
    revoked_at: formatTime(key.revokedAtMs) || null,
    rotated_to: key.rotatedTo,
  };
}

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
