/** Issue 37: accounts that cost nothing, and a browser that never gets to work. */
import { allKeys, type Attack, type AttackField, firstKeys } from '../support/attack.ts';
import { runLanes, waitFor } from '../support/lanes.ts';
import { killBrowsersOf } from '../support/browsers.ts';
import { postHead, sendRawCall } from '../support/raw-call.ts';
import { signUp } from '../support/sign-up.ts';
import { MAX_RATIO } from './burning-attacks.ts';
import { findDocument } from './document-attacks.ts';
import { askHangingHosts } from './page-attacks.ts';

const STRANGERS = 50;
/** Sign-ups at once: each costs the hash of a password twice. */
const AT_ONCE = 5;
const PAGES_EACH = 4;

/**
 * Signs up accounts from networks that share no more than their first bits. Returns a key of each that was
 * not refused.
 */
async function signUpStrangers(field: Omit<AttackField, 'note'>): Promise<string[][]> {
  const keys: string[][] = [];
  let n = 0;
  const signUpInTurn = async (): Promise<void> => {
    while (n < STRANGERS) {
      const own = n++;
      const visitor = await signUp(field, `${101 + own}.${own}.3.7`).catch(() => null);
      if (visitor !== null) keys.push([visitor.secret]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, signUpInTurn));
  return keys;
}

const strangers: Attack = {
  name: 'strangers_50_accounts',
  row: '37 plans',
  accounts: [],
  maxTurnMs: 50,
  maxRatio: MAX_RATIO,
  prepare: signUpStrangers,
  // Each renders one document at a time, and asks for pages of the host that the other caller asks for.
  async run(field, signal) {
    const body = Buffer.from(JSON.stringify(findDocument('pdf_endless_loop')));
    const render = async (key: string): Promise<void> =>
      runLanes({ count: 1, everyMs: 1000, signal }, async () => {
        const head = postHead('/v1/pdf/generate', body.length, { 'x-api-key': key });
        field.note(`PDF ${await sendRawCall({ port: field.port, head, body: [body], signal })}`);
      });
    const keys = allKeys(field);
    for (let n = 0; n < keys.length; n += 1) field.note('signed up');
    const url = (n: number): string => `http://popular.test-zone.com:${field.targets.site}/hang?${n}`;
    await Promise.all([
      ...keys.map(render),
      askHangingHosts(field, { keys, callsPerKey: PAGES_EACH, everyMs: 5, url }, signal),
    ]);
  },
};

const KILLING_MS = 5000;
/** A browser takes longer to start. */
const LOOK_EVERY_MS = 20;
const ASK_EVERY_MS = 50;

/** Kills every browser as it appears, then asks until a PDF comes. */
const killedAtStart: Attack = {
  name: 'browser_killed_at_start',
  row: '37 browser',
  accounts: [{ plan: 'business', keys: 1 }],
  maxTurnMs: 50,
  maxRatio: MAX_RATIO,
  // One second after the last kill, at the latest, every PDF is rendered.
  headStartMs: KILLING_MS + 1000,
  async run(field, signal) {
    const [key = ''] = firstKeys(field);
    const ask = async (): Promise<string> => {
      const body = Buffer.from('{"html":"<h1>Hello</h1>"}');
      const head = postHead('/v1/pdf/generate', body.length, { 'x-api-key': key });
      return sendRawCall({ port: field.port, head, body: [body], signal });
    };
    // Without requests no browser is started.
    const asking = new AbortController();
    const wanting = runLanes({ count: 1, everyMs: ASK_EVERY_MS, signal: asking.signal }, async () =>
      field.note(`meanwhile ${await ask()}`),
    );
    const until = performance.now() + KILLING_MS;
    while (performance.now() < until && !signal.aborted) {
      for (let n = killBrowsersOf(field.servicePid); n > 0; n -= 1) field.note('browser killed at start');
      await waitFor(LOOK_EVERY_MS, signal);
    }
    const lastMs = performance.now();
    asking.abort();
    await wanting;
    await askUntilRendered(field, { ask, lastMs }, signal);
  },
};

/** Notes the time from the last kill to the first PDF, and what came before it. */
async function askUntilRendered(
  field: AttackField,
  { ask, lastMs }: { ask: () => Promise<string>; lastMs: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const outcome = await ask();
    if (outcome === '200') {
      field.note(`first PDF ${((performance.now() - lastMs) / 1000).toFixed(2)} s after the last kill`);
      return;
    }
    field.note(`afterwards ${outcome}`);
    await waitFor(ASK_EVERY_MS, signal);
  }
}

export const STRANGER_ATTACKS: readonly Attack[] = [strangers, killedAtStart];
