/**
 * Starts the real service for the Python tests, with a browser, DNS of its own and a page on loopback:
 * nothing that the tests send leaves the machine.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startDnsServer } from '../support/dns-server.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';

export interface PythonService extends AsyncDisposable {
  service: TestApp;
  /** The variables that the Python tests read from their environment. */
  variables: Record<string, string>;
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A local page</title>
<meta name="description" content="Served by the test."><meta property="og:title" content="Local"></html>`;

/** A mail host without a known address counts as usable: no public address needs to be named. */
const MAIL_HOST = 'SERVFAIL';
const ZONES = {
  'gmail.com': { MX: [{ exchange: 'mail.gmail.com', priority: 5 }] },
  'mail.gmail.com': MAIL_HOST,
};

/** Plans that the tests choose from: one without a limit that they could reach, and a small one. */
const PLANS = 'unlimited=10000000,small=5';

/** Starts the service and what it contacts. */
export async function startPythonService(settings: Record<string, string> = {}): Promise<PythonService> {
  const stack = new AsyncDisposableStack();
  const dns = stack.use(await startDnsServer({ zones: ZONES }));
  const page = await startPage(stack);
  const service = stack.use(
    await startApp({
      ...WITH_BROWSER,
      PLANS,
      DNS_SERVERS: `${dns.host}:${dns.port}`,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      UNAUTHENTICATED_PER_MINUTE: '1000000',
      ...settings,
    }),
  );
  return {
    service,
    variables: {
      UTILITY_API_URL: service.url,
      UTILITY_API_KEY: await service.createKey('unlimited'),
      TEST_SMALL_KEY: await service.createKey('small'),
      TEST_PAGE_URL: page,
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Serves one page on a loopback port until the stack is disposed. Returns its URL. */
async function startPage(stack: AsyncDisposableStack): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
