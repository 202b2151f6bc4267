/** The commands that act on one account. */
import { type Account, type AccountChanges, type Plan, findPlan, getKeyStatus } from '#accounts';
import { type AuditEventName, OPERATOR, createResetLink, createSetupLink } from '#accounts/sign-in';
import { ApiError } from '#errors';
import { computeQuotaMonth } from '#limits';
import { type UsagePeriods, loadMonthUnits, loadUsagePeriods } from '#usage';
import {
  describePlan,
  describeStatus,
  findAccount,
  noSuchAccount,
  toAccountJson,
} from './accounts-commands.ts';
import { type Command, UsageError, recordOperatorAction, toAccess } from './command.ts';
import { formatCount, formatFacts, formatTable, formatTime } from './format-table.ts';
import { toKeyJson } from './keys-commands.ts';

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

/** A session is used at least once a day, and ends after seven. */
const DAY_MS = 86_400_000;

export const showAccountCommand: Command = {
  name: 'accounts show',
  positionals: ['email'],
  options: {},
  usage: 'accounts show <email>',
  help: 'Shows an account: plan, status, last sign-in, sessions, usage today, in 7 days and this month (UTC), its monthly quota, and its keys.',
  async run({ accounts, access, keys, usage, plans, now }, { positionals: [email = ''] }) {
    const nowMs = now();
    const account = await findAccount(accounts, email);
    const signedInAtMs = await access.findLastEvent(account.id, 'sign_in');
    const sessions = await access.listSessions(account.id, nowMs - DAY_MS, nowMs - 7 * DAY_MS);
    const hasSecondFactor = (await access.findSecondFactor(account.id)) !== null;
    const periods = await loadUsagePeriods(usage, account.id, nowMs);
    const units = await loadMonthUnits(usage, account.id, nowMs);
    const plan = findPlan(plans, account.plan);
    const own = await keys.listKeys(account.id);
    const facts = formatFacts([
      ['Account', `${account.email} (${account.id})`],
      ['Status', describeStatus(account) || 'active'],
      ['Plan', `${account.plan}: ${describePlan(plan)}`],
      ['This month', describeMonth(units, plan, nowMs)],
      ['Created', formatTime(account.createdAtMs)],
      ['Last sign-in', formatTime(signedInAtMs) || 'none in 90 days'],
      ['Sessions', String(sessions.length)],
      ['Second factor', hasSecondFactor ? 'yes' : 'no'],
    ]);
    const rows = own.map((key) => [
      key.id,
      key.name,
      `${key.prefix}…${key.lastFour}`,
      getKeyStatus(key, nowMs),
      formatTime(key.lastUsedAtMs),
      formatTime(key.expiresAtMs),
    ]);
    return {
      text: `${facts}\n\n${formatUsage(periods)}\n\n${formatTable(['ID', 'NAME', 'KEY', 'STATUS', 'LAST USED', 'EXPIRES'], rows)}`,
      json: {
        ...toAccountJson(account),
        last_sign_in_at: formatTime(signedInAtMs) || null,
        sessions: sessions.length,
        second_factor: hasSecondFactor,
        usage: toUsageJson(periods),
        monthly_quota: plan.monthlyQuota ?? null,
        units_this_month: units,
        resets_at: formatTime(computeQuotaMonth(nowMs).endMs),
        keys: own.map((key) => toKeyJson(key, account.email, nowMs)),
      },
    };
  },
};

/** Describes the units of this month beside the quota of the plan. */
function describeMonth(units: number, { monthlyQuota }: Plan, nowMs: number): string {
  if (monthlyQuota === undefined) return `${units} requests, no quota`;
  const percent = Math.floor((units / monthlyQuota) * 100);
  const reset = formatTime(computeQuotaMonth(nowMs).endMs);
  return `${units} of ${monthlyQuota} requests (${percent}%), resets at ${reset}`;
}

function formatUsage({ today, last7Days, thisMonth }: UsagePeriods): string {
  const names = [...new Set(thisMonth.operations.concat(last7Days.operations).map((one) => one.operation))];
  const count = (period: UsagePeriods['today'], operation: string): string => {
    const found = period.operations.find((one) => one.operation === operation);
    return formatTotal(found ?? { requests: 0, errors: 0 });
  };
  const rows = names.map((name) => [
    name,
    count(today, name),
    count(last7Days, name),
    count(thisMonth, name),
  ]);
  rows.push(['all', formatTotal(today), formatTotal(last7Days), formatTotal(thisMonth)]);
  return formatTable(['REQUESTS', 'TODAY', '7 DAYS', 'THIS MONTH'], rows);
}

function formatTotal({ requests, errors }: { requests: number; errors: number }): string {
  return errors === 0 ? String(requests) : `${requests} (${errors} errors)`;
}

function toUsageJson({ today, last7Days, thisMonth }: UsagePeriods): Record<string, unknown> {
  const toJson = ({ fromMs, ...totals }: UsagePeriods['today']) => ({ from: formatTime(fromMs), ...totals });
  return { today: toJson(today), last_7_days: toJson(last7Days), this_month: toJson(thisMonth) };
}
