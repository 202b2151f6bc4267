/** The clients as which unproven accounts load what their documents and pages name: members of one group. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '#config';
import { computeCapacities, createShares } from '#limits';
import { parsePdfRequest } from '#pdf';
import { NO_TRACING } from '#telemetry';
import { openRendering, type Rendering, type RenderingOptions } from '../../src/app/rendering.ts';
import { WITH_BROWSER } from '../support/start-app.ts';
import { patientMs } from '../support/patience.ts';

describe('a render of an account', () => {
  const clients: string[] = [];
  const callers = [false, true].map((isUnproven) => ({
    accountId: 'a',
    keyId: 'key of a',
    slots: null,
    isUnproven,
  }));
  let rendering: Rendering;
  before(async () => {
    const log = (): void => {};
    rendering = await openRendering({
      config: loadConfig({ ...WITH_BROWSER, DATA_DIR: '/nonexistent', PDF_SLOTS: '2' }),
      logger: { info: log, warn: log, error: log } as unknown as RenderingOptions['logger'],
      shares: createShares({
        capacities: computeCapacities({ pdfSlots: 2, bodyMemoryMb: 192 }),
        maxBodyBytes: 1,
        now: () => performance.now(),
      }),
      openResourceFetcher: (_budget, client) => () => {
        clients.push(client);
        return Promise.resolve({ failure: 'is not served' });
      },
      now: Date.now,
      tracing: NO_TRACING,
      observer: undefined,
    });
  });
  after(() => rendering.close());

  it('loads the resources of a PDF as the account, or as a member of the group of unproven ones', async () => {
    clients.length = 0;
    const request = parsePdfRequest({ html: '<img src="http://a.example/1.png">' });
    for (const caller of callers) await rendering.pdf?.generatePdf(request, caller);
    assert.deepEqual(clients, ['a', 'unproven a']);
  });

  it('loads the resources of a page in the same way', async () => {
    clients.length = 0;
    for (const caller of callers) {
      const page = {
        url: 'http://b.example/',
        status: 200,
        headers: new Map<string, string>(),
        contentType: 'text/html; charset=utf-8',
        body: Buffer.from('<script src="http://b.example/1.js"></script><p>text'),
        reach: 'public',
        mayNavigate: false,
        timeoutMs: patientMs(10_000),
        budget: { bytes: 1_000_000, requests: 10 },
      } as const;
      await rendering.renderPage?.(page, caller);
    }
    assert.deepEqual(clients, ['a', 'unproven a']);
  });
});
