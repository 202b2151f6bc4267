import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { loadDomainLists } from '#email';
import { computeCapacities, createShares, type ShareCapacities } from '#limits';
import { createOperations, type OperationsOptions } from './operations.ts';
import { patientMs } from '../../test/support/patience.ts';

const lists = loadDomainLists();
const account = (accountId: string) => ({ accountId, slots: null, keyId: `key of ${accountId}` });
const address = (email: string) => ({ email, checkMx: true, suggest: false, details: false });

/** Operations whose lookups below slow-zone.com, and whose pages, wait for `answer`. */
function openOperations(
  capacities: Partial<ShareCapacities>,
  { page = '<p>text'.padEnd(100_000), ...changes }: Partial<OperationsOptions> & { page?: string } = {},
) {
  const shares = createShares({
    capacities: {
      ...computeCapacities({ pdfSlots: 4, egressConnections: 8, bodyMemoryMb: 96 }),
      ...capacities,
    },
    maxBodyBytes: 40_000_000,
    now: () => performance.now(),
  });
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const enough: unknown[] = [];
  const lookUp = async (domain: string, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    asked.push(domain);
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
    if (domain.endsWith('slow-zone.com')) await Promise.race([answered, aborted]);
    return { outcome: 'none', reason: 'nxdomain' } as const;
  };
  const operations = createOperations({
    served: new Set(['email', 'metadata', 'pdf']),
    shares,
    lists,
    lookupMail: (domain, signal, _timeoutMs, hold) =>
      hold ? hold(signal, (held) => lookUp(domain, held)) : lookUp(domain, signal),
    lookupTxt: (name, signal, _timeoutMs, hold) => {
      const query = async (held?: AbortSignal) => {
        await lookUp(name, held);
        return { outcome: 'none' } as const;
      };
      return hold ? hold(signal, query) : query(signal);
    },
    fetchPage: async ({ url }, reader, signal) => {
      const head = { finalUrl: url.href, status: 200, headers: new Map(), redirects: [] };
      reader.start({ ...head, headers: new Map([['content-type', 'text/html']]) });
      for (let n = 0; n < 20; n += 1) {
        reader.write(n === 0 ? Buffer.from(page) : Buffer.alloc(100_000, '<p>text'));
        enough.push(reader.isEnough);
      }
      await Promise.race([answered, signal && once(signal, 'abort')]);
      return { head, end: 'complete', visit: { redirects: [], state: null } };
    },
    drainSignal: new AbortController().signal,
    formatIdentity: () => ({ userAgent: 'test', language: null }),
    now: Date.now,
    ...changes,
  } as Partial<OperationsOptions> as OperationsOptions) as Required<ReturnType<typeof createOperations>>;
  return { operations, shares, asked, enough, answer };
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const endMs = performance.now() + patientMs(5_000); !isTrue(); await new Promise(setImmediate))
    assert.ok(performance.now() < endMs, 'it does not come');
}

describe('validations that wait for DNS', () => {
  it('of an account over its share are reclaimed for another account', async () => {
    const { operations, shares, answer } = openOperations({ emailRequests: 4 });
    const outcomes: string[] = [];
    const waiting = ['a', 'a', 'a', 'b'].map(async (name, n) => {
      try {
        await operations.validateEmail(address(`x@${n}.slow-zone.com`), account(name));
        outcomes.push(name);
      } catch (error) {
        outcomes.push(`${name} ${(error as { code: string }).code}`);
      }
    });
    const report = await operations.validateEmail(address('x@quick-zone.com'), account('c'));
    assert.equal(report.mxFound, false);
    answer();
    await Promise.all(waiting);
    assert.deepEqual(outcomes.toSorted(), ['a', 'a', 'a overloaded', 'b']);
    assert.deepEqual(
      [shares.getState('emailRequests').held, shares.getState('dnsLookups').held],
      [0, 0],
      'everything is returned',
    );
  });

  it('with policies hold one place for the request and one for each lookup', async () => {
    const { operations, shares, asked, answer } = openOperations({});
    const request = { ...address('x@1.slow-zone.com'), details: true, policies: true };
    const report = operations.validateEmail(request, account('a'));
    await until(() => asked.length === 3);
    assert.deepEqual(
      [shares.getState('emailRequests').held, shares.getState('dnsLookups').held],
      [1, 3],
      asked.join(),
    );
    answer();
    assert.equal((await report).details?.spf?.status, 'none');
    assert.deepEqual([shares.getState('emailRequests').held, shares.getState('dnsLookups').held], [0, 0]);
  });

  it('with policies end with all their lookups when the place of the request is reclaimed', async () => {
    const { operations, shares, asked, answer } = openOperations({ emailRequests: 4 });
    const waiting = ['a', 'a', 'a', 'b'].map(async (name, n) => {
      const request = { ...address(`x@${n}.slow-zone.com`), details: true, policies: true };
      return operations.validateEmail(request, account(name));
    });
    await until(() => asked.length === 12);
    await operations.validateEmail(address('x@quick-zone.com'), account('c'));
    await until(() => shares.getState('dnsLookups').held === 9);
    answer();
    const outcomes = await Promise.allSettled(waiting);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    assert.deepEqual([shares.getState('emailRequests').held, shares.getState('dnsLookups').held], [0, 0]);
  });

  it('a lookup of a batch that loses its place starts again, and the batch has all its results', async () => {
    const { operations, shares, asked, answer } = openOperations({ dnsLookups: 4 });
    const validateAll = async (name: string, domains: string[]) =>
      Array.fromAsync(
        operations.validateEmails(
          { requests: domains.map((domain) => address(`x@${domain}`)), isOrdered: true },
          account(name),
          new AbortController().signal,
        ),
      );
    const first = validateAll('a', ['1.slow-zone.com', '2.slow-zone.com', '3.slow-zone.com']);
    await until(() => asked.length === 3);
    const second = validateAll('b', ['4.slow-zone.com']);
    await until(() => asked.length === 4);
    await operations.validateEmail(address('x@quick-zone.com'), account('c'));
    await operations.validateEmail(address('x@quicker-zone.com'), account('c'));
    answer();
    assert.deepEqual([(await first).length, (await second).length], [3, 1]);
    assert.equal(asked.filter((domain) => domain === '1.slow-zone.com').length, 2);
    assert.deepEqual(shares.getState('dnsLookups'), { capacity: 4, held: 0, queued: 0 });
  });
});

describe('large pages', () => {
  it('wait for a place as long as the request says', async () => {
    const { operations, answer } = openOperations({ pageConnections: 1 });
    const { signal } = new AbortController();
    const get = (host: string, place?: { maxWaitMs?: number }) => {
      const request = {
        url: `http://${host}/`,
        followRedirects: true,
        timeoutMs: patientMs(9_000),
        details: false,
      };
      return operations.getMetadata(request, account('a'), signal, place);
    };
    const first = get('first.example');
    await assert.rejects(get('second.example', { maxWaitMs: 0 }), { code: 'rate_limit_exceeded' });
    const third = get('third.example', { maxWaitMs: Infinity });
    answer();
    assert.deepEqual(
      [(await first).url, (await third).url],
      ['http://first.example/', 'http://third.example/'],
    );
  });

  it('wait for a browser page as long as the request says', async () => {
    const waits: unknown[] = [];
    const { operations, answer } = openOperations(
      {},
      {
        drainSignal: new AbortController().signal,
        renderPage(_page, _caller, _signal, slot) {
          waits.push(slot?.maxWaitMs);
          return Promise.resolve({ kind: 'failed' });
        },
      },
    );
    answer();
    const page = {
      url: 'http://a.example/',
      followRedirects: true,
      timeoutMs: patientMs(9_000),
      details: false,
    };
    for (const place of [undefined, { maxWaitMs: Infinity }]) {
      const { signal } = new AbortController();
      await operations.getMetadata({ ...page, render: 'true' }, account('a'), signal, place);
    }
    assert.deepEqual(waits, [undefined, Infinity]);
  });

  it('tell the fetch when further bytes are unlikely to matter, unless the browser needs them', async () => {
    const head = '<head><title>T</title></head><body>';
    const card = `<meta name=description content=D>${head}`;
    for (const [page, render, isEnough] of [
      [head, 'false', true],
      [card, 'auto', true],
      [head, 'auto', false],
      [card, 'true', false],
    ] as const) {
      const renderPage = () => Promise.resolve({ kind: 'failed' } as const);
      const text = page.padEnd(20_000);
      const { operations, enough, answer } = openOperations({}, { page: text, renderPage });
      answer();
      const request = {
        url: 'http://a.example/',
        followRedirects: true,
        timeoutMs: patientMs(9_000),
        details: false,
        render,
      };
      await operations.getMetadata(request, account('a'), new AbortController().signal);
      assert.equal(enough[0], isEnough, `${render} ${page}`);
    }
  });

  it('of unproven accounts have the places at a host of one account, as its members', async () => {
    const clients: string[] = [];
    const request = { url: 'http://a.example/', followRedirects: true, timeoutMs: 9_000, details: false };
    const { operations } = openOperations(
      {},
      {
        fetchPage: ({ client }) => {
          clients.push(client);
          return Promise.reject(new Error('not fetched'));
        },
      },
    );
    for (const caller of [
      account('a'),
      ...['b', 'c'].map((name) => ({ ...account(name), isUnproven: true })),
    ])
      await assert.rejects(operations.getMetadata(request, caller, new AbortController().signal));
    // The names of HostPlaces: `group member`.
    assert.deepEqual(clients, ['a', 'unproven b', 'unproven c']);
  });

  it('are held while they wait for the browser and are rendered, and are refused over the share', async () => {
    const { promise: rendered, resolve: finish } = Promise.withResolvers<{ kind: 'failed' }>();
    let renders = 0;
    const renderPage = () => {
      renders += 1;
      return rendered;
    };
    const { operations, shares, answer } = openOperations({ pageConnections: 100 }, { renderPage });
    answer();
    const get = (n: number) => {
      const url = `http://${n}.example/`;
      const request = {
        url,
        followRedirects: true,
        timeoutMs: patientMs(9_000),
        details: false,
        render: 'true',
      } as const;
      return operations.getMetadata(request, account('a'), new AbortController().signal);
    };
    const first = get(0);
    await until(() => renders === 1 && shares.getState('pageConnections').held === 0);
    assert.equal(shares.getState('bodyBytes').held, 2_000_000);
    const waiting = Array.from({ length: 10 }, (_, n) => get(n + 1));
    await until(() => renders === 11);
    assert.equal(shares.getState('bodyBytes').held, 22_000_000);
    const others = Array.from({ length: 30 }, (_, n) => get(n + 11));
    const outcomes = Promise.allSettled([first, ...waiting, ...others]);
    await assert.rejects(Promise.all(others), { code: 'rate_limit_exceeded' });
    finish({ kind: 'failed' });
    assert.ok((await outcomes).slice(0, 11).every(({ status }) => status === 'fulfilled'));
    assert.equal(shares.getState('bodyBytes').held, 0);
  });

  it('are held while they are read, and refused over the share', async () => {
    const { operations, shares, answer } = openOperations({ pageConnections: 100 });
    const outcomes: string[] = [];
    const visits = Array.from({ length: 40 }, async (_, n) => {
      const request = {
        url: `https://example.com/${n}`,
        followRedirects: true,
        timeoutMs: patientMs(9_000),
        details: true,
      };
      try {
        await operations.getMetadata(request, account('a'), new AbortController().signal);
        outcomes.push('200');
      } catch (error) {
        outcomes.push((error as { code: string }).code);
      }
    });
    await until(() => outcomes.length > 0);
    const { held } = shares.getState('bodyBytes');
    assert.ok(held > 40_000_000 && held <= 56_000_000, String(held));
    answer();
    await Promise.all(visits);
    assert.deepEqual([...new Set(outcomes)].toSorted(), ['200', 'rate_limit_exceeded']);
    assert.deepEqual([shares.getState('bodyBytes').held, shares.getState('pageConnections').held], [0, 0]);
  });
});
