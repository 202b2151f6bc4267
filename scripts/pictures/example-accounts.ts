/** The accounts and keys of the pictures: one that is shown, and others for the pages of administrators. */
import { createAccount, createKey } from '#accounts';
import { PASSWORD } from '../../test/dashboard/open-dashboard.ts';
import type { TestApp } from '../../test/support/start-app.ts';
import { loadConfig } from '#config';
import { DAY_MS, PRESENT_MS, setTime } from './example-clock.ts';
import { send, signIn } from './example-session.ts';

export const EMAIL = 'ann@nordhyl.example';

/** A key and its part in the requests of its account. */
export interface ExampleKey {
  accountId: string;
  id: string;
  /** Requests on an ordinary day. */
  perDay: number;
  /** The part of each operation. */
  mix: Readonly<Record<string, number>>;
  /** Requests are between these times. */
  fromMs: number;
  untilMs: number;
  /** Of the account that is shown. */
  secret: string | null;
}

interface Plan {
  name: string;
  ageDays: number;
  perDay: number;
  mix: ExampleKey['mix'];
  operations?: readonly string[];
  clientCidrs?: readonly string[];
  expiresInDays?: number;
  revokedDaysAgo?: number;
}

const EMAIL_ONLY = { validateEmail: 1 };

const KEYS: readonly Plan[] = [
  { name: 'checkout-prod', ageDays: 74, perDay: 620, mix: EMAIL_ONLY, operations: ['validateEmail'] },
  {
    name: 'link-previews',
    ageDays: 66,
    perDay: 310,
    mix: { getMetadata: 1 },
    operations: ['getMetadata'],
    clientCidrs: ['203.0.113.0/24'],
  },
  { name: 'invoices-eu', ageDays: 58, perDay: 120, mix: { generatePdf: 1 }, expiresInDays: 6 },
  { name: 'newsletter-import', ageDays: 41, perDay: 190, mix: EMAIL_ONLY },
  {
    name: 'staging',
    ageDays: 33,
    perDay: 60,
    mix: { validateEmail: 0.5, getMetadata: 0.3, generatePdf: 0.2 },
  },
  {
    name: 'hanna-laptop',
    ageDays: 52,
    perDay: 15,
    mix: { validateEmail: 0.6, none: 0.4 },
    revokedDaysAgo: 9,
  },
];

const OTHERS: readonly [email: string, plan: string, ageDays: number, perDay: number][] = [
  ['tom.ash@courier.example', 'business', 61, 400],
  ['dev@harbor-ferries.example', 'pro', 48, 160],
  ['it@bridge-road-school.example', 'free', 30, 20],
  ['ines@walker-timber.example', 'pro', 22, 70],
  ['sam@paper-and-ink.example', 'free', 12, 12],
  ['office@kontor-nord.example', 'free', 3, 5],
];

/** Creates the accounts. Returns their keys. */
export async function createExampleAccounts(service: TestApp): Promise<ExampleKey[]> {
  const accountId = await createShownAccount(service);
  const { storage } = service.app;
  const made: ExampleKey[] = [];
  made.push(...(await createShownKeys(service, accountId)));
  const { plans } = loadConfig({});
  for (const [email, plan, ageDays, perDay] of OTHERS) {
    const nowMs = PRESENT_MS - ageDays * DAY_MS;
    const account = await createAccount(storage.accounts, plans, { email, plan, admin: false }, nowMs);
    await storage.accounts.updateAccount(account.id, { emailVerified: true }, nowMs);
    const { key } = await createKey(storage.keys, { accountId: account.id, name: 'production' }, nowMs);
    const mix = { validateEmail: 0.6, getMetadata: 0.3, generatePdf: 0.1 };
    made.push({
      accountId: account.id,
      id: key.id,
      secret: null,
      perDay,
      mix,
      fromMs: nowMs,
      untilMs: PRESENT_MS,
    });
  }
  setTime(PRESENT_MS);
  return made;
}

/** Sets up the administrator that the pictures show. Returns the id of the account. */
async function createShownAccount(service: TestApp): Promise<string> {
  setTime(PRESENT_MS - 75 * DAY_MS);
  const token = await service.app.createSetupLink();
  await send(service, '/account/setup', { token, email: EMAIL, password: PASSWORD });
  const { accounts } = service.app.storage;
  const account = await accounts.findAccountByEmail(EMAIL);
  if (!account) throw new Error('the set-up created no account');
  await accounts.updateAccount(account.id, { plan: 'pro', emailVerified: true }, Date.now());
  return account.id;
}

/** Creates the keys in the order of time, as lists show them. Returns them in the order of `KEYS`. */
async function createShownKeys(service: TestApp, accountId: string): Promise<ExampleKey[]> {
  const made = new Map<Plan, ExampleKey>();
  for (const plan of KEYS.toSorted((a, b) => b.ageDays - a.ageDays))
    made.set(plan, await createShownKey(service, accountId, plan));
  for (const [{ revokedDaysAgo }, { id, untilMs }] of made) {
    if (revokedDaysAgo === undefined) continue;
    setTime(untilMs);
    await send(service, `/account/keys/${id}`, null, await signIn(service, EMAIL), 'DELETE');
  }
  return KEYS.flatMap((plan) => made.get(plan) ?? []);
}

/** Creates a key as its owner did: on that day, and in the dashboard, so that the audit trail has it. */
async function createShownKey(service: TestApp, accountId: string, plan: Plan): Promise<ExampleKey> {
  const { name, perDay, mix, operations, clientCidrs, expiresInDays, revokedDaysAgo } = plan;
  const fromMs = PRESENT_MS - plan.ageDays * DAY_MS;
  setTime(fromMs);
  const cookie = await signIn(service, EMAIL);
  const expiresAt = new Date(PRESENT_MS + (expiresInDays ?? 0) * DAY_MS).toISOString();
  const { key, secret } = await send<{ key: { id: string }; secret: string }>(
    service,
    '/account/keys',
    {
      name,
      ...(expiresInDays !== undefined && { expires_at: expiresAt }),
      ...(operations && { operations }),
      ...(clientCidrs && { client_cidrs: clientCidrs }),
    },
    cookie,
  );
  const untilMs = PRESENT_MS - (revokedDaysAgo ?? 0) * DAY_MS;
  return { accountId, id: key.id, secret, perDay, mix, fromMs, untilMs };
}
