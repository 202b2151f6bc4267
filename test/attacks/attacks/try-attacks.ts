/** Row 1: the dashboard's way to try an operation, by an account that anyone can sign up for. */
import type { Attack, AttackField } from '../support/attack.ts';
import { postHead, sendRawCall } from '../support/raw-call.ts';
import { deepHtml, emptyObjects, floodBodies, manyMembers } from './json-attacks.ts';

interface Visitor {
  cookie: string;
  keyId: string;
}

/** Signs up and in, and creates a key, as a person at the dashboard does. */
async function signUp({ port }: AttackField): Promise<Visitor> {
  let cookie = '';
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}/account${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    const set = response.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
    if (set.length > 0) cookie = set.join('; ');
    return JSON.parse(text) as Record<string, unknown>;
  };
  const person = {
    email: `visitor-${process.pid}-${performance.now()}@example.com`,
    password: 'correct horse battery',
  };
  await post('/sign-up', person);
  await post('/sign-in', person);
  const { key } = (await post('/keys', { name: 'try' })) as { key: { id: string } };
  return { cookie, keyId: key.id };
}

const headersOf = ({ cookie }: Visitor): Record<string, string> => ({
  cookie,
  'sec-fetch-site': 'same-origin',
});

const largeBodies: Attack = {
  name: 'try_bodies_38_mb',
  row: '1 /account/try',
  accounts: [],
  maxTurnMs: 50,
  async run(field, signal) {
    const bodies = [deepHtml(), emptyObjects(), manyMembers()];
    const visitor = await signUp(field);
    const flood = {
      path: `/account/try/generatePdf?key_id=${visitor.keyId}`,
      bodies,
      keys: [],
      headers: headersOf(visitor),
      lanes: 6,
      everyMs: 1000,
    };
    await floodBodies(field, flood, signal);
  },
};

const KEYLESS_TRIES = 200;
const KEYLESS_LANES = 8;

/** Sends all of its calls, even if that takes longer than the attack is meant to last. */
const withoutKey: Attack = {
  name: 'try_without_key',
  row: '1 /account/try',
  accounts: [],
  maxTurnMs: 50,
  async run(field) {
    const visitor = await signUp(field);
    const body = Buffer.from('{"email":"ann@good-mail.com"}');
    const head = postHead('/account/try/validateEmail', body.length, headersOf(visitor));
    const signal = AbortSignal.timeout(20_000);
    let left = KEYLESS_TRIES;
    const sendInTurn = async (): Promise<void> => {
      while (left-- > 0) field.note(await sendRawCall({ port: field.port, head, body: [body], signal }));
    };
    await Promise.all(Array.from({ length: KEYLESS_LANES }, sendInTurn));
  },
};

export const TRY_ATTACKS: readonly Attack[] = [largeBodies, withoutKey];
