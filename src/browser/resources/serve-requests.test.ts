import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { Protocol } from 'devtools-protocol';
import type { Page } from '../pages/page.ts';
import type { FetchResource } from './fetch-resource.ts';
import { serveRequests } from './serve-requests.ts';

const ASKED = 'https://site.example/a.css';
const ANSWERED = 'https://site.example/deep/b.css';

type Told = Partial<Protocol.Fetch.FulfillRequestRequest> & { method: string };

/** A page that only listens, and a fetcher that is always led on to ANSWERED. */
function open() {
  const told: Told[] = [];
  const asked: string[] = [];
  const page = {
    targetId: 'main',
    onRequest: null,
    sendAndForget: (method: string, params: object) => void told.push({ method, ...params }),
  } as unknown as Page;
  const fetchResource: FetchResource = ({ url }) => {
    asked.push(url);
    return Promise.resolve({ url: ANSWERED, status: 200, headers: [], body: Buffer.from(`for ${url}`) });
  };
  const requests = serveRequests(page, { fetchResource, timeoutMs: 60_000 });
  /** Lets the browser ask, and the answer come. */
  const ask = async (
    url: string,
    requestId: string,
    { method = 'GET', ...paused }: Partial<Protocol.Fetch.RequestPausedEvent & { method: string }> = {},
  ): Promise<Told | undefined> => {
    page.onRequest?.({
      requestId,
      frameId: 'main',
      resourceType: 'Stylesheet',
      request: { url, method, headers: {} },
      ...paused,
    } as Protocol.Fetch.RequestPausedEvent);
    await new Promise((resolve) => setImmediate(resolve));
    return told.pop();
  };
  return { requests, asked, told, ask };
}

const bodyOf = (answer: Told | undefined): string => Buffer.from(answer?.body ?? '', 'base64').toString();

void describe('serveRequests, led on by the fetcher', () => {
  void it('tells the browser the last address, and counts the request until it came back for the answer', async () => {
    const { requests, asked, ask } = open();
    const first = await ask(ASKED, '1.0');
    assert.equal(first?.responseCode, 302);
    assert.deepEqual(first?.responseHeaders, [
      { name: 'location', value: ANSWERED },
      { name: 'access-control-allow-origin', value: '*' },
    ]);
    assert.equal(requests.inFlight, 1);
    const second = await ask(ANSWERED, '1.1', { redirectedRequestId: '1.0' });
    assert.equal(second?.responseCode, 200);
    assert.equal(bodyOf(second), `for ${ASKED}`);
    assert.equal(requests.inFlight, 0);
    assert.deepEqual(asked, [ASKED]);
    requests.stop();
  });

  void it('gives what it holds only once, only to the request that caused it, and only for that address', async () => {
    const { requests, asked, ask } = open();
    await ask(ASKED, '1.0');
    assert.equal(bodyOf(await ask(ANSWERED, '2.0')), `for ${ANSWERED}`);
    assert.equal(bodyOf(await ask(ANSWERED, '3.1', { redirectedRequestId: '3.0' })), `for ${ANSWERED}`);
    assert.equal(bodyOf(await ask(ANSWERED, '1.1', { redirectedRequestId: '1.0' })), `for ${ASKED}`);
    assert.equal(bodyOf(await ask(ANSWERED, '1.2', { redirectedRequestId: '1.0' })), `for ${ANSWERED}`);
    await ask(ASKED, '4.0');
    const elsewhere = await ask(`${ANSWERED}?x`, '4.1', { redirectedRequestId: '4.0' });
    assert.equal(elsewhere?.responseCode, 302);
    assert.equal(asked.at(-1), `${ANSWERED}?x`);
    requests.stop();
  });

  void it('knows the script of a worker by the worker and the address, as the browser asks for it under a new id', async () => {
    const { requests, asked, ask } = open();
    const worker = { resourceType: 'Other', frameId: 'worker' } as const;
    await ask(ASKED, '1.0', worker);
    for (const other of [
      { ...worker, frameId: 'another' },
      { ...worker, resourceType: 'Script' },
    ] as const)
      assert.equal(bodyOf(await ask(ANSWERED, '2.0', other)), `for ${ANSWERED}`);
    assert.equal(bodyOf(await ask(ANSWERED, '3.0', worker)), `for ${ASKED}`);
    assert.equal(bodyOf(await ask(ANSWERED, '4.0', worker)), `for ${ANSWERED}`);
    assert.equal(requests.inFlight, 0);
    assert.deepEqual(asked, [ASKED, ANSWERED, ANSWERED, ANSWERED]);
    requests.stop();
  });

  void it('tells nothing where the browser would only ask again, or the address is the same written otherwise', async () => {
    const { requests, ask } = open();
    assert.equal((await ask(ASKED, '1.0', { resourceType: 'Font' }))?.responseCode, 200);
    assert.equal((await ask(ASKED, '2.0', { method: 'POST' }))?.responseCode, 200);
    assert.equal((await ask(`${ANSWERED}#part`, '3.0'))?.responseCode, 200);
    assert.equal((await ask('HTTPS://site.example:443/x/../deep/b.css', '4.0'))?.responseCode, 200);
    requests.stop();
  });

  void it('waits for the browser no longer when it stops, or when the browser does not follow', async (test) => {
    const stopped = open();
    await stopped.ask(ASKED, '1.0');
    const idle = stopped.requests.whenIdle();
    stopped.requests.stop();
    await idle;
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const { requests, ask } = open();
    await ask(ASKED, '1.0');
    test.mock.timers.tick(999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(requests.inFlight, 1);
    test.mock.timers.tick(1);
    await requests.whenIdle();
    assert.equal(bodyOf(await ask(ANSWERED, '1.1', { redirectedRequestId: '1.0' })), `for ${ASKED}`);
    requests.stop();
  });
});

void describe('serveRequests, asked whether all is known', () => {
  void it('has the page ask as slowly as it ever does: with credentials, which other requests would overtake', async () => {
    const { requests, asked, told, ask } = open();
    const seen: [url: string, init: RequestInit][] = [];
    const fetch = (url: string, init: RequestInit): Promise<never> => {
      seen.push([url, init]);
      return Promise.reject(new Error('aborted'));
    };
    await runInNewContext(requests.createMarker(), { fetch });
    const [url, init] = seen[0] ?? assert.fail('nothing was asked');
    assert.deepEqual({ ...init }, { mode: 'no-cors', credentials: 'include' });
    assert.equal((await ask(url, '1.0', { resourceType: 'XHR' }))?.method, 'Fetch.failRequest');
    assert.deepEqual([asked, told, requests.byScripts], [[], [], 0]);
    requests.stop();
  });
});
