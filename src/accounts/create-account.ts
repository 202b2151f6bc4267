import { ApiError } from '#errors';
import {
  type Account,
  type AccountStore,
  type Plans,
  getDefaultPlanName,
  parseAccountEmail,
} from './account.ts';
import { createRandomText } from './random-text.ts';

export interface NewAccountRequest {
  email: string;
  /** The first configured plan by default. */
  plan?: string | undefined;
  admin?: boolean | undefined;
}

/**
 * Creates an account without a password. Throws `invalid_parameter` if the email address is malformed or
 * belongs to an account, or if the plan is not configured.
 */
export async function createAccount(
  store: AccountStore,
  plans: Plans,
  request: NewAccountRequest,
  nowMs: number,
): Promise<Account> {
  const account = buildAccount(plans, request, nowMs);
  if (await store.insertAccount(account)) return account;
  throw new ApiError('invalid_parameter', `There is an account with the address ${account.email} already.`, {
    param: 'email',
  });
}

/**
 * Returns the account with this email address; creates it if it does not exist. A given plan must be that of
 * an existing account: throws `invalid_parameter` if it is another.
 */
export async function findOrCreateAccount(
  store: AccountStore,
  plans: Plans,
  request: NewAccountRequest,
  nowMs: number,
): Promise<Account> {
  const built = buildAccount(plans, request, nowMs);
  if (await store.insertAccount(built)) return built;
  const account = await store.findAccountByEmail(built.email);
  if (!account) throw new ApiError('unavailable', 'The account was deleted at this moment: try again.');
  if (request.plan !== undefined && request.plan !== account.plan)
    throw new ApiError(
      'invalid_parameter',
      `The account ${account.email} has the plan ${account.plan}, not ${request.plan}: leave --plan out, or change it with accounts set-plan.`,
      { param: 'plan' },
    );
  return account;
}

/** Returns `plan`. Throws `invalid_parameter` if it is not configured. */
export function assertPlan(plans: Plans, plan: string): string {
  if (plans.has(plan)) return plan;
  throw new ApiError(
    'invalid_parameter',
    `There is no plan «${plan}»: the plans are ${[...plans.keys()].join(', ')}.`,
    {
      param: 'plan',
    },
  );
}

/** Returns a new account. Throws `invalid_parameter` for a malformed address or an unknown plan. */
export function buildAccount(plans: Plans, request: NewAccountRequest, nowMs: number): Account {
  const email = parseAccountEmail(request.email);
  if (email === null)
    throw new ApiError('invalid_parameter', `«${request.email}» is not an email address.`, {
      param: 'email',
    });
  return {
    id: `acc_${createRandomText(16)}`,
    email,
    emailVerified: false,
    plan: assertPlan(plans, request.plan ?? getDefaultPlanName(plans)),
    admin: request.admin ?? false,
    disabled: false,
    unproven: false,
    keysDisabledAtMs: null,
    createdAtMs: nowMs,
  };
}
