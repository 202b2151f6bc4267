import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTurnMeter } from '../../test/support/turn-meter.ts';
import { loadDomainLists } from './lists/domain-lists.ts';
import type { EmailReport } from './email-report.ts';
import type { ValidateEmailRequest } from './email-options.ts';
import type { LookupMail } from './lookup-mail.ts';
import { getTypedDomain } from './domain/parse-domain.ts';
import { trimAddress } from './address/parse-address.ts';
import { validateEmail } from './validate-email.ts';
import { validateEmails } from './validate-emails.ts';
import { countTurns } from '../../test/support/count-turns.ts';

const MAX_TURN_MS = 20;
const lists = loadDomainLists();
const found: LookupMail = async (domain) => ({
  outcome: 'mx',
  exchanges: [{ exchange: `mx.${domain}`, priority: 10 }],
});

function createRequest(email: string): ValidateEmailRequest {
  return { email, checkMx: true, suggest: true, details: true };
}

/** Waits for `count` turns of the event loop. */
async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function collect(reports: AsyncIterable<EmailReport>): Promise<EmailReport[]> {
  const all: EmailReport[] = [];
  for await (const report of reports) all.push(report);
  return all;
}

/** Blocks the event loop. */
function spin(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

/** True if the largest turn of one of the runs is short: other work on the machine may lengthen the rest. */
function isShort(largestMs: readonly number[]): boolean {
  return Math.min(...largestMs) < MAX_TURN_MS;
}

describe('validateEmails', () => {
  it('yields the reports of validateEmail, in the order of the requests, however long the lookups take', async () => {
    const requests = [
      'ann@slow9.com',
      'no address',
      'ann@gmial.com',
      'ann@slow3.com',
      'ann@[192.0.2.1]',
      'ann@slow1.com',
    ].map(createRequest);
    const lookupMail: LookupMail = async (domain) => {
      await waitTurns(Number(/slow(\d)/.exec(domain)?.[1] ?? 0));
      return found(domain);
    };
    const reports = await collect(validateEmails(requests, { lists, lookupMail }));
    const single = await Promise.all(
      requests.map(async (request) => validateEmail(request, { lists, lookupMail })),
    );
    assert.deepEqual(reports, single);
  });

  it('looks up each domain once: 10,000 addresses at 500 domains', async () => {
    const lookups: string[] = [];
    const requests = Array.from({ length: 10_000 }, (_, at) =>
      createRequest(`user${at}@domain-${at % 500}.com`),
    );
    const lookupMail: LookupMail = async (domain) => {
      lookups.push(domain);
      await waitTurns(1);
      return found(domain);
    };
    const reports = await collect(validateEmails(requests, { lists, lookupMail }));
    assert.equal(reports.length, 10_000);
    assert.equal(lookups.length, 500);
    assert.ok(
      reports.every((report, at) => report.email === `user${at}@domain-${at % 500}.com` && report.mxFound),
    );
  });

  it('has at most `concurrency` pending lookups, and reads the requests no further ahead', async () => {
    let pending = 0;
    let most = 0;
    let read = 0;
    function* requests() {
      for (; read < 100; read++) yield createRequest(`ann@domain-${read}.com`);
    }
    const lookupMail: LookupMail = async (domain) => {
      most = Math.max(most, ++pending);
      await waitTurns(2);
      pending--;
      return found(domain);
    };
    let yielded = 0;
    for await (const _report of validateEmails(requests(), { lists, lookupMail }, { concurrency: 7 })) {
      yielded++;
      assert.ok(read - yielded < 8);
    }
    assert.equal(yielded, 100);
    assert.equal(most, 7);
  });

  it('cancels pending lookups if the loop is left early, without an unhandled rejection', async () => {
    const cancelled: string[] = [];
    const lookupMail: LookupMail = (domain, signal) =>
      domain === 'first.com'
        ? found(domain)
        : new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => {
              cancelled.push(domain);
              reject(signal.reason as Error);
            });
          });
    const requests = ['ann@first.com', 'ann@second.com', 'ann@third.com'].map(createRequest);
    for await (const report of validateEmails(requests, { lists, lookupMail }, { concurrency: 2 })) {
      assert.equal(report.domain, 'first.com');
      break;
    }
    await waitTurns(2);
    assert.deepEqual(cancelled, ['second.com']);
  });

  it('throws the reason of an aborted signal', async () => {
    const ending = new AbortController();
    const lookupMail: LookupMail = (_domain, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const reason = new Error('the client disconnected');
    const reports = collect(
      validateEmails([createRequest('ann@acme.com')], { lists, lookupMail }, { signal: ending.signal }),
    );
    ending.abort(reason);
    await assert.rejects(reports, reason);
  });

  it('accepts requests as they arrive', async () => {
    async function* requests() {
      for (let at = 0; at < 3; at++) {
        await waitTurns(1);
        yield createRequest(`ann@domain-${at}.com`);
      }
    }
    const reports = await collect(validateEmails(requests(), { lists, lookupMail: found }));
    assert.deepEqual(
      reports.map(({ domain }) => domain),
      ['domain-0.com', 'domain-1.com', 'domain-2.com'],
    );
  });

  it('yields to the event loop every few milliseconds, and keeps the order', async () => {
    const turns = countTurns();
    const requests = Array.from({ length: 100 }, (_, at) => createRequest(`user${at}@example.com`));
    const emails: string[] = [];
    for await (const report of validateEmails(requests, { lists, lookupMail: found })) {
      spin(1);
      emails.push(report.email);
    }
    turns.stop();
    assert.deepEqual(
      emails,
      requests.map(({ email }) => email),
    );
    // A turn lasts 5 ms.
    assert.ok(turns.count >= 15, `${turns.count} turns for 100 ms of work`);
  });

  it('concurrent batches share a turn', async () => {
    const turns = countTurns();
    const run = async (): Promise<void> => {
      const requests = Array.from({ length: 40 }, () => createRequest('no address'));
      for await (const _report of validateEmails(requests, { lists, lookupMail: found })) spin(1);
    };
    await Promise.all([run(), run(), run()]);
    turns.stop();
    assert.ok(turns.count >= 18, `${turns.count} turns for 120 ms of work`);
  });

  const labels = (n: number): string => `漢字${String.fromCodePoint(0x4e00 + n)}`;
  for (const [name, write] of Object.entries({
    'as measured': (n: number) => `ann${n}@bücher${n}.de`,
    'of many labels': (n: number) =>
      `ann@${Array.from({ length: 20 }, (_, at) => labels(n + at)).join('.')}.jp`,
  }))
    it(`batches of 1,000 IDN addresses ${name}, five at once: no turn takes 20 ms`, async () => {
      const requests = Array.from({ length: 1_000 }, (_, n) => createRequest(write(n)));
      const largest: number[] = [];
      for (let run = 0; run < 3 && !isShort(largest); run += 1) {
        const meter = startTurnMeter();
        await Promise.all(
          Array.from({ length: 5 }, () => collect(validateEmails(requests, { lists, lookupMail: found }))),
        );
        largest.push(meter.stop());
      }
      assert.ok(isShort(largest), `CPU ms of the largest turns: ${largest.join(', ')}`);
    });
});

describe('an address of 4 MB', () => {
  const MEGABYTES = 4 * 1024 * 1024;
  for (const [name, email] of Object.entries({
    'without an at sign': 'a'.repeat(MEGABYTES),
    'of at signs': '@'.repeat(MEGABYTES),
    'with a domain in upper case': `a@${'A'.repeat(MEGABYTES - 2)}`,
    'with a domain of two scripts in upper case': `a@${'A'.repeat(MEGABYTES - 4)}İ`,
    'with letters that are slow to convert': `a@${'İ'.repeat(MEGABYTES / 2)}`,
    'of blanks': ' '.repeat(MEGABYTES),
    'of zero-width spaces': '\u200b'.repeat(MEGABYTES / 3),
    'of quotes': '"'.repeat(MEGABYTES),
    'of dots': `a@${'.'.repeat(MEGABYTES)}`,
  }))
    it(`${name} is refused in turns of less than 20 ms`, async () => {
      const costs: number[] = [];
      for (let run = 0; run < 7 && !isShort(costs); run += 1) {
        const meter = startTurnMeter();
        const report = await validateEmail(createRequest(email), { lists, lookupMail: found });
        costs.push(meter.stop());
        assert.equal(report.formatValid, false);
        assert.ok(
          report.domain === getTypedDomain(trimAddress(email)),
          'the domain does not depend on slices',
        );
      }
      assert.ok(isShort(costs), `CPU ms: ${costs.join(', ')}`);
    });
});
