import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Protocol } from 'devtools-protocol';
import { type SuppliedResponse, toPreflightResponse, toResponse } from './supplied-responses.ts';

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
