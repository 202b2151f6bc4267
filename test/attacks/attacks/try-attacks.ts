/** Row 1: the dashboard's way to try an operation, by an account that anyone can sign up for. */
import type { Attack } from '../support/attack.ts';
import { postHead, sendRawCall } from '../support/raw-call.ts';
import { signUp, type Visitor } from '../support/sign-up.ts';
import { deepHtml, emptyObjects, floodBodies, manyMembers } from './json-attacks.ts';

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
