/** The lines at start that tell an operator what a proxy has to do. */
import assert from 'node:assert/strict';
import { request as sendHttp, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, it } from 'node:test';
import type { FastifyBaseLogger } from 'fastify';
import { startApp, type TestApp } from '../../support/start-app.ts';

const PUBLIC_URL = 'https://api.example.com';

/** Starts the service with these settings; returns its address, and its lines about the proxy. */
async function readProxyLines(settings: Record<string, string>) {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (first: unknown, message?: string): void => {
      const text = message ?? String(first);
      if (/proxy|TRUST_PROXY/.test(text)) lines.push(`${level}: ${text}`);
    };
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];
  const logger = { level: 'info', ...Object.fromEntries(levels.map((level) => [level, note(level)])) };
  await using service = await startApp(settings, { logger: logger as unknown as FastifyBaseLogger });
  return { url: service.url, lines };
}

describe('with PUBLIC_URL, the log at start', () => {
  it('names the address to proxy to, and warns that TRUST_PROXY is missing', async () => {
    const { url, lines } = await readProxyLines({ PUBLIC_URL });
    assert.equal(lines[0], `info: proxy ${PUBLIC_URL} to ${url}`);
    assert.match(lines[1] ?? '', /^warn: .*TRUST_PROXY is not set.*127\.0\.0\.1\/32/);
    assert.equal(lines.length, 2);
  });

  it('does not warn if TRUST_PROXY is set, and says nothing without PUBLIC_URL', async () => {
    const { lines } = await readProxyLines({ PUBLIC_URL, TRUST_PROXY: '127.0.0.1/32' });
    assert.deepEqual(
      lines.map((line) => line.slice(0, 5)),
      ['info:'],
    );
    assert.deepEqual((await readProxyLines({})).lines, []);
  });
});

/** Sends a request under a name, as a browser does whose DNS points the name at this machine. */
async function callAs(
  { port }: TestApp,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; error?: string; message?: string }> {
  const isPost = body !== undefined;
  const sent = sendHttp({ port, path, method: isPost ? 'POST' : 'GET', headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
  return { status: response.statusCode ?? 0, ...(text.startsWith('{') && (JSON.parse(text) as object)) };
}

/** The hosts of a machine, and hosts that a stranger's DNS can name. */
const OWN_HOSTS = [
  '127.0.0.1',
  '203.0.113.9:3000',
  '[::1]:3000',
  'localhost',
  'app.localhost:3000',
  hostname(),
];
const FOREIGN_HOSTS = [
  'rebind.example',
  'localhost.example:3000',
  `${hostname()}.example`,
  '127.0.0.1.example',
];
const JSON_TYPE = { 'content-type': 'application/json' };
const SIGN_UP = '{"email":"ann@example.com","password":"correct horse battery"}';

describe('without PUBLIC_URL', () => {
  it('sign-up, sign-in, set-up and the dashboard API refuse a Host that a stranger may name', async () => {
    await using service = await startApp();
    const paths = ['session', 'keys', 'no/such/path'].map((path) => [path]);
    const calls = [...paths, ['sign-up', SIGN_UP], ['sign-in', SIGN_UP], ['setup', '{"token":"x"}']];
    for (const [path = '', body] of calls)
      for (const host of FOREIGN_HOSTS) {
        const headers = { 'sec-fetch-site': 'same-origin', origin: `http://${host}`, ...JSON_TYPE };
        for (const named of [{ host }, { host: 'localhost', 'x-forwarded-host': host }]) {
          // X-Forwarded-Host of a client that is no proxy of TRUST_PROXY is ignored: its Origin is foreign.
          const answer = await callAs(service, `/account/${path}`, { ...headers, ...named }, body);
          if (named.host === host) {
            assert.equal(answer.status, 403, `${path} ${host}`);
            assert.equal(answer.error, 'forbidden_origin');
            assert.match(answer.message ?? '', /PUBLIC_URL/);
          } else assert.equal(answer.status, 401);
        }
      }
    for (const host of OWN_HOSTS) {
      const headers = { host, 'sec-fetch-site': 'same-origin', origin: `http://${host}` };
      assert.equal((await callAs(service, '/account/session', headers)).status, 200, host);
    }
  });

  it('a page under a foreign name cannot pass by the headers of a proxy on this machine', async () => {
    await using service = await startApp({ TRUST_PROXY: '127.0.0.1' });
    const own = { 'sec-fetch-site': 'same-origin', 'x-forwarded-host': 'localhost' };
    const call = (headers: Record<string, string>) => callAs(service, '/account/session', headers);
    assert.equal((await call({ ...own, host: 'rebind.example' })).status, 403);
    assert.equal(
      (await call({ ...own, host: 'localhost', 'x-forwarded-host': 'rebind.example' })).status,
      403,
    );
    assert.equal((await call({ ...own, host: 'localhost' })).status, 200);
  });

  it('a request with an API key is not refused for its Host', async () => {
    await using service = await startApp();
    const key = await service.createKey();
    for (const host of FOREIGN_HOSTS) {
      const headers = { host, 'x-api-key': key };
      assert.equal((await callAs(service, '/v1/email/validate?email=x', headers)).status, 200, host);
      assert.equal((await callAs(service, '/mcp', { ...headers, ...JSON_TYPE }, '{}')).status, 400, host);
    }
  });

  it('/mcp refuses an Origin that a stranger may name, also if the Host is the same', async () => {
    await using service = await startApp();
    const headers = { 'x-api-key': await service.createKey(), ...JSON_TYPE };
    const send = async (host: string, origin: string) =>
      (await callAs(service, '/mcp', { ...headers, host, origin }, '{}')).status;
    for (const host of FOREIGN_HOSTS) assert.equal(await send(host, `http://${host}`), 403, host);
    for (const host of OWN_HOSTS) assert.equal(await send('localhost', `http://${host}`), 400, host);
    assert.equal(await send('localhost', 'null'), 403);
  });
});

describe('with PUBLIC_URL', () => {
  it('any Host is accepted as before, and /mcp accepts the Origin of PUBLIC_URL alone', async () => {
    await using service = await startApp({ PUBLIC_URL });
    for (const host of [...FOREIGN_HOSTS, ...OWN_HOSTS, 'api.example.com']) {
      const headers = { host, 'sec-fetch-site': 'same-origin' };
      assert.equal((await callAs(service, '/account/session', headers)).status, 200, host);
    }
    const headers = { 'x-api-key': await service.createKey(), ...JSON_TYPE, host: 'api.example.com' };
    const send = async (origin: string) =>
      (await callAs(service, '/mcp', { ...headers, origin }, '{}')).status;
    assert.equal(await send(PUBLIC_URL), 400);
    for (const origin of ['http://api.example.com', 'https://rebind.example', 'http://localhost'])
      assert.equal(await send(origin), 403, origin);
  });
});
