import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Protocol } from 'devtools-protocol';
import { OWN_URL, type Page } from '../pages/page.ts';
import type { FailedRequest, FetchResource, ResourceFailure } from './fetch-resource.ts';
import type { SuppliedResponse } from '../cdp/cdp-connection.ts';
import { ServedRequests, toPreflightResponse, toResponse } from './served-requests.ts';

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

const URL_HERE = 'https://site.example/a.css';

const createRequest = (headers: Record<string, string> = {}, method = 'GET') =>
  ({ url: URL_HERE, method, headers }) as Protocol.Network.Request;

const listHeaders = (response: SuppliedResponse | null) =>
  response?.responseHeaders?.map(({ name, value }) => `${name}: ${value}`);

const ANY_ORIGIN = ['access-control-allow-origin: *'];
const ORIGIN = ['access-control-allow-origin: null', 'access-control-allow-credentials: true'];

describe('the response that supplies a resource', () => {
  it('has the status, the body and the headers of the resource', () => {
    const body = Buffer.from('a{}');
    const headers: [string, string][] = [
      ['content-type', 'text/css'],
      ['x-any', '1'],
    ];
    const response = toResponse(createRequest(), { url: URL_HERE, status: 404, headers, body });
    assert.deepEqual([response.responseCode, response.body], [404, body]);
    assert.deepEqual(listHeaders(response), ['content-type: text/css', 'x-any: 1', ...ANY_ORIGIN]);
  });

  it('has no headers about the transfer, cookies, and origins that may read it', () => {
    const names = [
      'content-encoding',
      'content-length',
      'transfer-encoding',
      'connection',
      'set-cookie',
      'access-control-allow-origin',
      'access-control-allow-credentials',
      'timing-allow-origin',
    ];
    const headers = names.map((name): [string, string] => [name, 'x']);
    const resource = { url: URL_HERE, status: 200, headers, body: Buffer.alloc(0) };
    assert.deepEqual(listHeaders(toResponse(createRequest(), resource)), ANY_ORIGIN);
  });

  it('may be read by the origin of the request, also with credentials', () => {
    const resource = { url: URL_HERE, status: 200, headers: [], body: Buffer.alloc(0) };
    assert.deepEqual(listHeaders(toResponse(createRequest({ Origin: 'null' }), resource)), ORIGIN);
  });
});

describe('the response to a preflight request', () => {
  const asked = { Origin: 'null', 'Access-Control-Request-Method': 'PUT' };

  it('allows the method and the headers of the request', () => {
    const response = toPreflightResponse(createRequest(asked, 'OPTIONS'));
    assert.equal(response?.responseCode, 204);
    assert.deepEqual(listHeaders(response), ['access-control-allow-methods: PUT', ...ORIGIN]);
    const withHeaders = createRequest({ ...asked, 'Access-Control-Request-Headers': 'x-a,x-b' }, 'OPTIONS');
    assert.deepEqual(listHeaders(toPreflightResponse(withHeaders)), [
      'access-control-allow-methods: PUT',
      'access-control-allow-headers: x-a,x-b',
      ...ORIGIN,
    ]);
  });

  it('is none to other requests', () => {
    assert.equal(toPreflightResponse(createRequest(asked)), null);
    assert.equal(toPreflightResponse(createRequest({ Origin: 'null' }, 'OPTIONS')), null);
  });
});
