import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadDomainLists } from './lists/domain-lists.ts';
import type { LookupMail, MailFacts } from './lookup-mail.ts';
import { type CompletedReport, validateEmails, validateEmailsAsCompleted } from './validate-emails.ts';

const lists = loadDomainLists();
const FOUND: MailFacts = { outcome: 'mx', exchanges: [{ exchange: 'mx.acme.com', priority: 10 }] };
const createRequest = (email: string) => ({ email, checkMx: true, suggest: true, details: false });

/** Lookups that end when the test says so. */
function openLookups() {
  const pending = new Map<string, (facts: MailFacts) => void>();
  const lookupMail: LookupMail = (domain, signal) =>
    new Promise((resolve, reject) => {
      pending.set(domain, resolve);
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return { pending, lookupMail };
}

describe('validateEmailsAsCompleted', () => {
  it('yields the reports of validateEmails, with the index of each request', async () => {
    const texts = ['ann@acme.com', 'no address', 'ann@gmial.com', 'ann@acme.com', 'ann@[192.0.2.1]'];
    const requests = texts.map(createRequest);
    const deps = { lists, lookupMail: async () => FOUND };
    const reports = await Array.fromAsync(validateEmailsAsCompleted(requests, deps));
    const ordered = await Array.fromAsync(validateEmails(requests, deps));
    assert.deepEqual(
      reports.toSorted((a, b) => a.index - b.index),
      ordered.map((report, index) => ({ ...report, index })),
    );
  });

  it('is not held back by a slow domain, however many of the addresses are there', async () => {
    const { pending, lookupMail } = openLookups();
    const slow = Array.from({ length: 500 }, (_, at) => `ann${at}@slow.com`);
    const requests = [...slow, 'ann@[192.0.2.1]', 'ann@quick.com', 'no address'].map(createRequest);
    const reports: CompletedReport[] = [];
    for await (const report of validateEmailsAsCompleted(requests, { lists, lookupMail })) {
      reports.push(report);
      if (reports.length === 2) pending.get('quick.com')?.(FOUND);
      if (reports.length === 3) pending.get('slow.com')?.(FOUND);
    }
    assert.deepEqual(
      reports.slice(0, 3).map(({ index }) => index),
      [500, 502, 501],
    );
    assert.equal(reports.length, 503);
  });

  it('has at most `concurrency` pending lookups', async () => {
    let running = 0;
    let most = 0;
    const lookupMail: LookupMail = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return FOUND;
    };
    const requests = Array.from({ length: 100 }, (_, at) => createRequest(`ann@domain-${at}.com`));
    const all = validateEmailsAsCompleted(requests, { lists, lookupMail }, { concurrency: 7 });
    assert.equal((await Array.fromAsync(all)).length, 100);
    assert.equal(most, 7);
  });

  it('throws the reason of an aborted signal', async () => {
    const { pending, lookupMail } = openLookups();
    const gone = new AbortController();
    const reason = new Error('left');
    const options = { signal: gone.signal };
    const requests = ['ann@slow.com', 'ann@slower.com'].map(createRequest);
    const all = Array.fromAsync(validateEmailsAsCompleted(requests, { lists, lookupMail }, options));
    while (pending.size < 2) await new Promise(setImmediate);
    gone.abort(reason);
    await assert.rejects(all, (error) => error === reason);
  });

  it('cancels pending lookups if the loop is left', async () => {
    let isCanceled = false;
    const lookupMail: LookupMail = (_domain, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          isCanceled = true;
          reject(signal.reason as Error);
        });
      });
    const requests = ['ann@slow.com', 'no address'].map(createRequest);
    for await (const report of validateEmailsAsCompleted(requests, { lists, lookupMail })) {
      assert.equal(report.index, 1);
      break;
    }
    assert.equal(isCanceled, true);
  });
});
