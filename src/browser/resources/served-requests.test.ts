import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Protocol } from 'devtools-protocol';
import { OWN_URL, type Page } from '../pages/page.ts';
import type { FailedRequest, FetchResource, ResourceFailure } from './fetch-resource.ts';
import { ServedRequests } from './served-requests.ts';

const FIRST_URL = 'https://site.example/a.css';
const LAST_URL = 'https://site.example/deep/b.css';

type Sent = Partial<Protocol.Fetch.FulfillRequestRequest> & { method: string };

/** A page without a browser, and a fetcher that every URL redirects to LAST_URL. */
function open() {
  const sent: Sent[] = [];
  const requested: string[] = [];
  const page = {
    targetId: 'main',
    onRequest: null,
    sendAndForget: (method: string, params: object) => void sent.push({ method, ...params }),
  } as unknown as Page;
  const fetchResource: FetchResource = ({ url }) => {
    requested.push(url);
    return Promise.resolve({ url: LAST_URL, status: 200, headers: [], body: Buffer.from(`for ${url}`) });
  };
  const requests = new ServedRequests(page, { fetchResource, timeoutMs: 60_000, onFailure() {} });
  /** Makes a request of the browser and returns the command that answers it. */
  const send = async (
    url: string,
    requestId: string,
    { method = 'GET', ...paused }: Partial<Protocol.Fetch.RequestPausedEvent & { method: string }> = {},
  ): Promise<Sent | undefined> => {
    page.onRequest?.({
      requestId,
      frameId: 'main',
      resourceType: 'Stylesheet',
      request: { url, method, headers: {} },
      ...paused,
    } as Protocol.Fetch.RequestPausedEvent);
    await new Promise((resolve) => setImmediate(resolve));
    return sent.pop();
  };
  return { requests, requested, sent, send };
}

const bodyOf = (answer: Sent | undefined): string => Buffer.from(answer?.body ?? '', 'base64').toString();

void describe('ServedRequests, if the fetcher followed redirects', () => {
  void it('redirects the browser to the last URL, and supplies the resource when it has followed', async () => {
    const { requests, requested, send } = open();
    const first = await send(FIRST_URL, '1.0');
    assert.equal(first?.responseCode, 302);
    assert.deepEqual(first?.responseHeaders, [
      { name: 'location', value: LAST_URL },
      { name: 'access-control-allow-origin', value: '*' },
    ]);
    const second = await send(LAST_URL, '1.1', { redirectedRequestId: '1.0' });
    assert.equal(second?.responseCode, 200);
    assert.equal(bodyOf(second), `for ${FIRST_URL}`);
    assert.equal(requests.inFlight, 0);
    assert.deepEqual(requested, [FIRST_URL]);
    requests.stop();
  });

  void it('supplies a held resource once, only to the request that caused it, and only for that URL', async () => {
    const { requests, requested, send } = open();
    await send(FIRST_URL, '1.0');
    assert.equal(bodyOf(await send(LAST_URL, '2.0')), `for ${LAST_URL}`);
    assert.equal(bodyOf(await send(LAST_URL, '3.1', { redirectedRequestId: '3.0' })), `for ${LAST_URL}`);
    assert.equal(bodyOf(await send(LAST_URL, '1.1', { redirectedRequestId: '1.0' })), `for ${FIRST_URL}`);
    assert.equal(bodyOf(await send(LAST_URL, '1.2', { redirectedRequestId: '1.0' })), `for ${LAST_URL}`);
    await send(FIRST_URL, '4.0');
    const elsewhere = await send(`${LAST_URL}?x`, '4.1', { redirectedRequestId: '4.0' });
    assert.equal(elsewhere?.responseCode, 302);
    assert.equal(requested.at(-1), `${LAST_URL}?x`);
    requests.stop();
  });

  void it('recognizes the script of a worker by the worker and the URL, as its request has a new id', async () => {
    const { requests, requested, send } = open();
    const worker = { resourceType: 'Other', frameId: 'worker' } as const;
    await send(FIRST_URL, '1.0', worker);
    for (const other of [
      { ...worker, frameId: 'another' },
      { ...worker, resourceType: 'Script' },
    ] as const)
      assert.equal(bodyOf(await send(LAST_URL, '2.0', other)), `for ${LAST_URL}`);
    assert.equal(bodyOf(await send(LAST_URL, '3.0', worker)), `for ${FIRST_URL}`);
    assert.equal(bodyOf(await send(LAST_URL, '4.0', worker)), `for ${LAST_URL}`);
    assert.equal(requests.inFlight, 0);
    assert.deepEqual(requested, [FIRST_URL, LAST_URL, LAST_URL, LAST_URL]);
    requests.stop();
  });

  void it('sends a request of another method to the last URL if a script did not follow the redirect', async () => {
    const { requests, requested, send } = open();
    const script = { resourceType: 'Fetch' } as const;
    await send('https://other.example/', '1.0', script);
    assert.equal(bodyOf(await send(LAST_URL, '2.0', { ...script, method: 'POST' })), `for ${LAST_URL}`);
    assert.equal(bodyOf(await send(LAST_URL, '3.0', script)), 'for https://other.example/');
    assert.deepEqual(requested, ['https://other.example/', LAST_URL]);
    requests.stop();
  });

  void it('does not redirect if the browser would only repeat the request, or if the URLs are equal after normalization', async () => {
    const { requests, send } = open();
    assert.equal((await send(FIRST_URL, '1.0', { resourceType: 'Font' }))?.responseCode, 200);
    assert.equal((await send(FIRST_URL, '2.0', { method: 'POST' }))?.responseCode, 200);
    assert.equal((await send(`${LAST_URL}#part`, '3.0'))?.responseCode, 200);
    assert.equal((await send('HTTPS://site.example:443/x/../deep/b.css', '4.0'))?.responseCode, 200);
    requests.stop();
  });
});

void describe('ServedRequests, if requests fail', () => {
  const request = (url: string, requestId = '1'): Protocol.Fetch.RequestPausedEvent =>
    ({
      requestId,
      frameId: 'main',
      resourceType: 'Image',
      request: { url, method: 'GET', headers: {} },
    }) as never;
  const settle = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

  function serve(fetchResource: FetchResource) {
    const failed: FailedRequest[] = [];
    const page = { targetId: 'main', onRequest: null, sendAndForget() {} } as unknown as Page;
    const onFailure = (one: FailedRequest): void => void failed.push(one);
    const requests = new ServedRequests(page, { fetchResource, timeoutMs: 60_000, onFailure });
    return { failed, requests, send: (url: string) => page.onRequest?.(request(url)) };
  }

  void it('reports failures and error statuses with the URL and the type, and no other response', async () => {
    const { failed, requests, send } = serve(({ url }) =>
      Promise.resolve(
        url.endsWith('/gap')
          ? { failure: 'could not be reached' }
          : { url, status: url.endsWith('/ok') ? 200 : 404, headers: [], body: Buffer.from('') },
      ),
    );
    for (const path of ['ok', 'gap', 'none']) send(`https://site.example/${path}`);
    await settle();
    assert.deepEqual(failed, [
      { url: 'https://site.example/gap', type: 'Image', failure: 'could not be reached' },
      { url: 'https://site.example/none', type: 'Image', failure: 'was answered with status 404' },
    ]);
    requests.stop();
  });

  void it('reports a relative URL of a document without a base URL by its path, and other schemes', async () => {
    const { failed, requests, send } = serve(() => Promise.reject(new Error('not fetched')));
    send(`${OWN_URL}img/logo.png`);
    send('ftp://site.example/');
    await settle();
    assert.deepEqual(
      failed.map(({ url, failure }) => `${url} ${failure}`),
      [
        'img/logo.png has a relative URL, which needs base_url',
        'ftp://site.example/ has a URL that is not http:// or https://',
      ],
    );
    requests.stop();
  });

  void it('reports requests in flight when it is stopped, and nothing after that', async () => {
    const { promise, resolve } = Promise.withResolvers<ResourceFailure>();
    const { failed, requests, send } = serve(() => promise);
    send('https://site.example/slow');
    await settle();
    requests.stop();
    resolve({ failure: 'could not be reached' });
    await settle();
    assert.deepEqual(failed, [
      { url: 'https://site.example/slow', type: 'Image', failure: 'did not answer in time' },
    ]);
  });
});
