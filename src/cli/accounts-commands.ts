import {
  type Account,
  type AccountStore,
  type Plan,
  assertPlan,
  createAccount,
  findPlan,
  parseAccountEmail,
} from '#accounts';
import { ApiError } from '#errors';
import { OTHER_REQUESTS_PER_SLOT } from '#limits';
import { formatSecondFactorResetMail } from '#accounts/sign-in';
import { formatTable, formatTime } from './format-table.ts';
import { type Command, recordOperatorAction } from './command.ts';

/** Accounts per query. */
const PAGE_SIZE = 500;

type AccountSummaries = Awaited<ReturnType<AccountStore['listAccounts']>>;

export const createAccountCommand: Command = {
  name: 'accounts create',
  positionals: ['email'],
  options: { plan: { type: 'string' }, admin: { type: 'boolean' } },
  usage: 'accounts create <email> [--plan <plan>] [--admin]',
  help: 'Creates an account without a password. Its owner sets one with «forgot password» on the sign-in page, which verifies the address and revokes the keys that the account has by then, or by the link of accounts reset-link. --admin makes it an administrator, also if the account exists.',
  async run(context, { positionals: [email = ''], values }) {
    const { accounts, plans, now } = context;
    const plan = values['plan'] as string | undefined;
    const admin = values['admin'] === true;
    const known = admin ? await accounts.findAccountByEmail(parseAccountEmail(email) ?? '') : null;
    if (known && !known.admin && plan === undefined) {
      const promoted = await accounts.updateAccount(known.id, { admin: true }, now());
      if (!promoted) throw noSuchAccount(email);
      await recordOperatorAction(context, promoted.id, 'account.made_administrator');
      // Anyone may have signed up with this address: the operator must know that its owner is not verified.
      const doubt = promoted.emailVerified
        ? ''
        : ` The address has not been confirmed since the account was created on ${formatTime(promoted.createdAtMs)}: if someone else may have created it, set a new password with «forgot password» now.`;
      return { text: `${promoted.email} is an administrator now.${doubt}`, json: toAccountJson(promoted) };
    }
    const account = await createAccount(accounts, plans, { email, plan, admin }, now());
    await recordOperatorAction(context, account.id, 'account.created');
    const role = account.admin ? ', administrator' : '';
    return {
      text: `Created the account ${account.email} (plan ${account.plan}${role}).`,
      json: toAccountJson(account),
    };
  },
};

export const listAccountsCommand: Command = {
  name: 'accounts list',
  positionals: [],
  options: {},
  usage: 'accounts list',
  help: 'Lists all accounts, newest first, with their plan, status (admin, disabled, unverified, keys-disabled) and number of working keys. The owner of an unverified account has not confirmed the address.',
  async run({ accounts, now }) {
    const all = await loadAccounts(accounts, now());
    const rows = all.map((account) => [
      account.email,
      account.plan,
      describeStatus(account),
      String(account.liveKeys),
      formatTime(account.lastUsedAtMs),
      formatTime(account.createdAtMs),
    ]);
    return {
      text: formatTable(['EMAIL', 'PLAN', 'STATUS', 'KEYS', 'LAST USED', 'CREATED'], rows),
      json: all.map((account) =>
        Object.assign(toAccountJson(account), {
          keys: account.liveKeys,
          last_used_at: formatTime(account.lastUsedAtMs) || null,
        }),
      ),
      warning: (await accounts.hasAdmin())
        ? undefined
        : 'there is no administrator: accounts setup-link prints a link that creates one, and accounts create <email> --admin makes an account one.',
    };
  },
};

export const setPlanCommand: Command = {
  name: 'accounts set-plan',
  positionals: ['email', 'plan'],
  options: {},
  usage: 'accounts set-plan <email> <plan>',
  help: 'Changes the plan of an account; its keys have the new limit and shares within 5 s. Warns if the address of the account is not verified.',
  async run(context, { positionals: [email = '', plan = ''] }) {
    const { accounts, plans, now } = context;
    assertPlan(plans, plan);
    const { id, plan: before } = await findAccount(accounts, email);
    const account = await accounts.updateAccount(id, { plan }, now());
    if (!account) throw noSuchAccount(email);
    if (before !== plan)
      await recordOperatorAction(context, id, 'account.plan_changed', `${before} → ${plan}`);
    return {
      text: `${account.email} has the plan ${account.plan} now: ${describePlan(findPlan(plans, plan))}.`,
      json: toAccountJson(account),
      warning: account.emailVerified ? undefined : describeUnverified(account),
    };
  },
};

async function loadAccounts(accounts: AccountStore, nowMs: number): Promise<AccountSummaries> {
  const all = [];
  for (let beforeId: string | undefined; ;) {
    const page = await accounts.listAccounts({ beforeId, limit: PAGE_SIZE, nowMs });
    all.push(...page);
    if (page.length < PAGE_SIZE) return all;
    beforeId = page.at(-1)?.id;
  }
}

/** Returns the account with this email address. Throws `not_found`. */
export async function findAccount(accounts: AccountStore, email: string): Promise<Account> {
  const account = await accounts.findAccountByEmail(parseAccountEmail(email) ?? '');
  if (!account) throw noSuchAccount(email);
  return account;
}

/** Describes a plan's limits in words. Shares derived from the machine depend on the service's settings. */
export function describePlan({ limitPerMinute, slots, monthlyQuota }: Plan): string {
  const concurrency =
    slots === null
      ? 'concurrency derived from the machine'
      : `at most ${slots} documents rendered and ${slots * OTHER_REQUESTS_PER_SLOT} other requests at once`;
  const quota = monthlyQuota === undefined ? '' : `, ${monthlyQuota} requests per month`;
  return `${limitPerMinute} requests per minute and key${quota}, ${concurrency}`;
}

/** Returns the error of an email address without an account. */
export function noSuchAccount(email: string): ApiError {
  return new ApiError('not_found', `There is no account with the address ${email}.`);
}

/** Lists what is special about an account. */
export function describeStatus({ admin, disabled, emailVerified, keysDisabledAtMs }: Account): string {
  const states = [admin && 'admin', disabled && 'disabled', !emailVerified && 'unverified'];
  return [...states, keysDisabledAtMs !== null && 'keys-disabled'].filter(Boolean).join(' ');
}

/**
 * Describes an unverified address: anyone can sign up with any address, so the account may be a stranger's.
 */
function describeUnverified({ email, createdAtMs }: Account): string {
  return `the address ${email} is not verified, so the account, created on ${formatTime(createdAtMs)}, may belong to someone else. Its owner proves the address by the link «confirm your email address», or by «forgot password», which revokes the account's keys.`;
}

/** Formats an account for --json. */
export function toAccountJson(account: Account): Record<string, unknown> {
  return {
    id: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    plan: account.plan,
    admin: account.admin,
    disabled: account.disabled,
    keys_disabled_at: formatTime(account.keysDisabledAtMs) || null,
    created_at: formatTime(account.createdAtMs),
  };
}

export const listPlansCommand: Command = {
  name: 'plans',
  positionals: [],
  options: {},
  usage: 'plans',
  help: 'Lists the plans of PLANS: requests per minute and key, requests per month and account, documents and other requests that an account may have at once, and the number of accounts. An empty cell is derived from the machine, or no quota. Accounts of a plan that PLANS does not name have the smallest limits.',
  async run({ accounts, plans }) {
    const counts = await accounts.countAccountsByPlan();
    const listed = [...plans].map(([name, { limitPerMinute, slots, monthlyQuota = null }]) => ({
      name,
      limit_per_minute: limitPerMinute,
      monthly_quota: monthlyQuota,
      documents_at_once: slots,
      other_requests_at_once: slots === null ? null : slots * OTHER_REQUESTS_PER_SLOT,
      accounts: counts.get(name) ?? 0,
    }));
    const gone = [...counts].filter(([name]) => !plans.has(name));
    const rows = listed.map((plan) => Object.values(plan).map((cell) => String(cell ?? '')));
    return {
      text: formatTable(
        ['PLAN', 'PER MINUTE', 'PER MONTH', 'DOCUMENTS AT ONCE', 'OTHERS AT ONCE', 'ACCOUNTS'],
        rows,
      ),
      json: listed.map((plan) => ({ ...plan, configured: true })),
      warning:
        gone.length === 0
          ? undefined
          : `PLANS does not name the plans of these accounts: ${gone.map(([name, count]) => `${name} (${count})`).join(', ')}.`,
    };
  },
};

export const resetSecondFactorCommand: Command = {
  name: 'accounts reset-second-factor',
  positionals: ['email'],
  options: {},
  usage: 'accounts reset-second-factor <email>',
  help: 'Turns off the second factor of an account whose owner has lost the app and the recovery codes, and signs out all devices. The owner gets an email and signs in with the password. Make sure first that the request comes from the owner.',
  async run(context, { positionals: [email = ''] }) {
    const { accounts, access, sendMail } = context;
    const account = await findAccount(accounts, email);
    if (!(await access.deleteSecondFactor(account.id, { endsSessions: true })))
      throw new ApiError('not_found', `The account ${account.email} has no second factor.`);
    await recordOperatorAction(context, account.id, 'second_factor.reset');
    await sendMail?.(formatSecondFactorResetMail(account));
    return {
      text: `The second factor of ${account.email} is off, and all devices are signed out.`,
      json: { id: account.id, email: account.email, second_factor: false },
      warning: sendMail ? undefined : 'no email is sent, because SMTP_URL is not set: tell the owner.',
    };
  },
};
