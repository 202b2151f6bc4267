/** The commands that act on one account. */
import type { Account, AccountChanges } from '#accounts';
import { type AuditEventName, createResetLink, createSetupLink, OPERATOR } from '#accounts/sign-in';
import { ApiError } from '#errors';
import { findAccount, noSuchAccount, toAccountJson } from './accounts-commands.ts';
import { recordOperatorAction, toAccess, UsageError, type Command } from './command.ts';
import { formatCount, formatTime } from './format-table.ts';

/** A change of an account that takes only its email address. */
interface AccountChange {
  verb: string;
  help: string;
  changes: AccountChanges;
  event: AuditEventName;
  describe: (account: Account) => string;
}

function createChangeCommand({ verb, help, changes, event, describe }: AccountChange): Command {
  return {
    name: `accounts ${verb}`,
    positionals: ['email'],
    options: {},
    usage: `accounts ${verb} <email>`,
    help,
    async run(context, { positionals: [email = ''] }) {
      const { accounts, access, now } = context;
      const before = await findAccount(accounts, email);
      const account = await accounts.updateAccount(before.id, changes, now());
      if (!account) throw noSuchAccount(email);
      if (account.disabled) await access.deleteSessions(account.id);
      const isChanged =
        before.disabled !== account.disabled || before.emailVerified !== account.emailVerified;
      if (isChanged) await recordOperatorAction(context, account.id, event);
      return { text: describe(account), json: toAccountJson(account) };
    },
  };
}

export const disableAccountCommand = createChangeCommand({
  verb: 'disable',
  help: 'Disables an account: its sessions end, its owner cannot sign in, and running servers refuse its keys within 5 s. Nothing is deleted.',
  changes: { disabled: true },
  event: 'account.disabled',
  describe: ({ email }) => `${email} is disabled.`,
});

export const enableAccountCommand = createChangeCommand({
  verb: 'enable',
  help: 'Enables a disabled account: its keys and its password work again.',
  changes: { disabled: false },
  event: 'account.enabled',
  describe: ({ email }) => `${email} is enabled.`,
});

export const verifyAccountCommand = createChangeCommand({
  verb: 'verify',
  help: 'Marks the email address of an account as verified. Make sure that the account belongs to the owner of the address: anyone can sign up with any address.',
  changes: { emailVerified: true },
  event: 'email.verified',
  describe: ({ email }) => `The address ${email} is verified.`,
});

export const resetLinkCommand: Command = {
  name: 'accounts reset-link',
  positionals: ['email'],
  options: {},
  usage: 'accounts reset-link <email>',
  help: 'Prints a link that sets a new password, for you to hand over. It works once, within an hour, and ends all sessions. Unlike the link of «forgot password» it does not verify the address; if the address is not verified, it revokes all keys too.',
  async run(context, { positionals: [email = ''] }) {
    const account = await findAccount(context.accounts, email);
    const { token, expiresAtMs } = await createResetLink(toAccess(context), account.email, OPERATOR);
    await recordOperatorAction(context, account.id, 'password.reset_link_created');
    const url = `${context.origin}/reset-password?token=${token}`;
    return { text: url, json: { url, email: account.email, expires_at: formatTime(expiresAtMs) } };
  },
};

export const setupLinkCommand: Command = {
  name: 'accounts setup-link',
  positionals: [],
  options: {},
  usage: 'accounts setup-link',
  help: 'Prints a link that creates the first administrator, while there is none. It works once, within 7 days; earlier links stop working.',
  async run(context) {
    const token = await createSetupLink(toAccess(context));
    if (token === null)
      throw new ApiError(
        'invalid_parameter',
        'There is an administrator: accounts create <email> --admin makes another account one.',
      );
    const url = `${context.origin}/setup?token=${token}`;
    return { text: url, json: { url } };
  },
};

export const deleteAccountCommand: Command = {
  name: 'accounts delete',
  positionals: ['email'],
  options: { yes: { type: 'boolean' } },
  usage: 'accounts delete <email> --yes',
  help: 'Deletes an account with its keys, sessions, usage, request log and audit trail. This cannot be undone. The only administrator cannot be deleted.',
  async run({ accounts, keys, now }, { positionals: [email = ''], values }) {
    const account = await findAccount(accounts, email);
    const liveKeys = await keys.countLiveKeys(account.id, now());
    if (values['yes'] !== true)
      throw new UsageError(
        `This deletes ${account.email} with ${formatCount(liveKeys, 'working key')}, for good: add --yes to do it, or use accounts disable.`,
      );
    if (!(await accounts.deleteAccount(account.id))) throw noSuchAccount(email);
    return {
      text: `Deleted the account ${account.email} and ${formatCount(liveKeys, 'working key')}.`,
      json: { ...toAccountJson(account), keys: liveKeys, deleted: true },
    };
  },
};
