/** The accounts and keys of the pictures: one that is shown, and others for the pages of administrators. */
import { createAccount, createKey } from '#accounts';
import { PASSWORD } from '../../test/dashboard/open-dashboard.ts';
import type { TestApp } from '../../test/support/start-app.ts';
import { loadConfig } from '#config';
import { DAY_MS, PRESENT_MS } from './example-clock.ts';

export const EMAIL = 'ann@nordhyl.example';

/** A key and its part in the requests of its account. */
export interface ExampleKey {
  accountId: string;
  id: string;
  /** Requests on an ordinary day. */
  perDay: number;
  /** The part of each operation. */
  mix: Readonly<Record<string, number>>;
  /** No requests after this time. */
  untilMs: number;
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
  for (const plan of KEYS) made.push(await addKey(service, accountId, plan));
  const { plans } = loadConfig({});
  for (const [email, plan, ageDays, perDay] of OTHERS) {
    const nowMs = PRESENT_MS - ageDays * DAY_MS;
    const account = await createAccount(storage.accounts, plans, { email, plan, admin: false }, nowMs);
    await storage.accounts.updateAccount(account.id, { emailVerified: true }, nowMs);
    const mix = { validateEmail: 0.6, getMetadata: 0.3, generatePdf: 0.1 };
    made.push(await addKey(service, account.id, { name: 'production', ageDays, perDay, mix }));
  }
  return made;
}

/** Sets up the administrator that the pictures show. Returns the id of the account. */
async function createShownAccount(service: TestApp): Promise<string> {
  const token = await service.app.createSetupLink();
  const response = await service.call('/account/setup', null, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ token, email: EMAIL, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`/account/setup: ${response.status} ${await response.text()}`);
  const { accounts } = service.app.storage;
  const account = await accounts.findAccountByEmail(EMAIL);
  if (!account) throw new Error('the set-up created no account');
  await accounts.updateAccount(account.id, { plan: 'pro', emailVerified: true }, PRESENT_MS);
  return account.id;
}

async function addKey(service: TestApp, accountId: string, plan: Plan): Promise<ExampleKey> {
  const { keys } = service.app.storage;
  const { name, operations, clientCidrs, expiresInDays, revokedDaysAgo } = plan;
  const expiresAtMs = expiresInDays === undefined ? null : PRESENT_MS + expiresInDays * DAY_MS;
  const request = { accountId, name, operations, clientCidrs, expiresAtMs };
  const { key } = await createKey(keys, request, PRESENT_MS - plan.ageDays * DAY_MS);
  const untilMs = PRESENT_MS - (revokedDaysAgo ?? 0) * DAY_MS;
  if (revokedDaysAgo !== undefined) await keys.revokeKey(key.id, untilMs);
  return { accountId, id: key.id, perDay: plan.perDay, mix: plan.mix, untilMs };
}
