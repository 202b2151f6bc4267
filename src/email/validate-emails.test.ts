import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadDomainLists } from './domain-lists.ts';
import type { EmailReport, ValidateEmailRequest } from './email-report.ts';
import type { LookupMail } from './lookup-mail.ts';
import { validateEmail } from './validate-email.ts';
import { validateEmails } from './validate-emails.ts';

const lists = loadDomainLists();
const found: LookupMail = async (domain) => ({
  outcome: 'mx',
  exchanges: [{ exchange: `mx.${domain}`, priority: 10 }],
});

function ask(email: string): ValidateEmailRequest {
  return { email, checkMx: true, suggest: true, details: true };
}

/** Waits for a few turns of the event loop, in no particular order between callers. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function collect(reports: AsyncIterable<EmailReport>): Promise<EmailReport[]> {
  const all: EmailReport[] = [];
  for await (const report of reports) all.push(report);
  return all;
}

describe('validateEmails', () => {
  it('yields what validateEmail answers, in the order of the requests, whatever the look-ups take', async () => {
    const requests = [
      'ann@slow9.com',
      'no address',
      'ann@gmial.com',
      'ann@slow3.com',
      'ann@[192.0.2.1]',
      'ann@slow1.com',
    ].map(ask);
    const lookupMail: LookupMail = async (domain) => {
      await turns(Number(/slow(\d)/.exec(domain)?.[1] ?? 0));
      return found(domain);
    };
    const reports = await collect(validateEmails(requests, { lists, lookupMail }));
    const single = await Promise.all(
      requests.map(async (request) => validateEmail(request, { lists, lookupMail })),
    );
    assert.deepEqual(reports, single);
  });

  it('asks once a domain: 10,000 addresses over 500 domains', async () => {
    const asked: string[] = [];
    const requests = Array.from({ length: 10_000 }, (_, at) => ask(`user${at}@domain-${at % 500}.com`));
    const lookupMail: LookupMail = async (domain) => {
      asked.push(domain);
      await turns(1);
      return found(domain);
    };
    const reports = await collect(validateEmails(requests, { lists, lookupMail }));
    assert.equal(reports.length, 10_000);
    assert.equal(asked.length, 500);
    assert.ok(
      reports.every((report, at) => report.email === `user${at}@domain-${at % 500}.com` && report.mxFound),
    );
  });

  it('has at most `concurrency` look-ups in work, and reads the requests no further ahead', async () => {
    let inWork = 0;
    let most = 0;
    let read = 0;
    function* requests() {
      for (; read < 100; read++) yield ask(`ann@domain-${read}.com`);
    }
    const lookupMail: LookupMail = async (domain) => {
      most = Math.max(most, ++inWork);
      await turns(2);
      inWork--;
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

  it('cancels what is in flight where the loop is left early, without an unhandled rejection', async () => {
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
    const requests = ['ann@first.com', 'ann@second.com', 'ann@third.com'].map(ask);
    for await (const report of validateEmails(requests, { lists, lookupMail }, { concurrency: 2 })) {
      assert.equal(report.domain, 'first.com');
      break;
    }
    await turns(2);
    assert.deepEqual(cancelled, ['second.com']);
  });

  it('throws the reason of an aborted signal', async () => {
    const ending = new AbortController();
    const lookupMail: LookupMail = (_domain, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const reason = new Error('the caller hung up');
    const reports = collect(
      validateEmails([ask('ann@acme.com')], { lists, lookupMail }, { signal: ending.signal }),
    );
    ending.abort(reason);
    await assert.rejects(reports, reason);
  });

  it('takes requests as they arrive', async () => {
    async function* requests() {
      for (let at = 0; at < 3; at++) {
        await turns(1);
        yield ask(`ann@domain-${at}.com`);
      }
    }
    const reports = await collect(validateEmails(requests(), { lists, lookupMail: found }));
    assert.deepEqual(
      reports.map(({ domain }) => domain),
      ['domain-0.com', 'domain-1.com', 'domain-2.com'],
    );
  });
});
