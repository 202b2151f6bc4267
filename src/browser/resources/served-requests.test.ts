import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Protocol } from 'devtools-protocol';
import { OWN_URL, type Page } from '../pages/page.ts';
import type { FailedRequest, FetchResource, ResourceFailure } from './fetch-resource.ts';
import { ServedRequests } from './served-requests.ts';

void describe('ServedRequests', () => {
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
