/** The metrics of the whole service: each one moves, none reveals a client, and callers cannot reach them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, it } from 'node:test';
import { type LabelValues, METRICS, type MetricRow } from '#telemetry';
import { waitForRoomInMinute } from '../support/clock-minute.ts';
import { openAccountClient } from '../support/account-client.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { findFreePorts } from '../support/free-ports.ts';
import { sendRaw } from '../support/raw-http.ts';
import { skipRedis, startRedis } from '../support/redis.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';
import { getValue, loadText, parseSeries, scrape, scrapeUntil } from './scrape.ts';

const ON = { METRICS_PORT: '0' };
const EMAIL = '/v1/email/validate?check_mx=false&email=';

/** Opens a host that callers may fetch from: it answers each path with the status that it names. */
async function openHost(): Promise<{ url: string; settings: Record<string, string> } & AsyncDisposable> {
  const server = createServer((request, response) => {
    response.writeHead(Number(/\d{3}/.exec(request.url ?? '')?.[0] ?? 200), { 'content-type': 'text/html' });
    response.end('<title>t</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    settings: { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function postPdf(service: TestApp, key: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return service.call('/v1/pdf/generate', key, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Returns the processes of the browser that this process started, by their command lines. */
function listBrowsers(): number[] {
  const parents = new Map<number, number>();
  const chromium: number[] = [];
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (command.includes('--remote-debugging-pipe') && !command.includes('--type='))
        chromium.push(Number(name));
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return chromium.filter(isOurs);
}

describe('each metric moves', () => {
  it('requests, units, caches, DNS and fetches', async () => {
    const zones = {
      'test-shop.com': { MX: [{ exchange: 'mx.test-shop.com', priority: 1 }] },
      'mx.test-shop.com': { A: ['192.0.43.8'] },
    };
    const dns = await startDnsServer({ zones });
    await using host = await openHost();
    const address = `127.0.0.1:${dns.port}`;
    await using service = await startApp({ ...ON, ...host.settings, DNS_SERVERS: address, PLANS: 'tiny=8' });
    const key = await service.createKey('tiny');
    await waitForRoomInMinute(5000);
    const meta = (path: string): Promise<Response> =>
      service.call(`/v1/meta?max_age=60&url=${encodeURIComponent(host.url + path)}`, key);
    assert.equal((await service.call('/v1/email/validate?email=a@test-shop.com', key)).status, 200);
    assert.equal((await service.call('/v1/email/validate?email=b@test-shop.com', key)).status, 200);
    assert.equal((await service.call('/v1/email/validate?email=c@nowhere.test-shop.com', key)).status, 200);
    for (const path of ['/200', '/200', '/404']) assert.equal((await meta(path)).status, 200);
    assert.equal((await service.call('/v1/meta?url=http://127.0.0.1:1/', key)).status, 422);
    const batch = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"emails":["a@b.c"]}',
    };
    assert.equal((await service.call('/v1/email/validate/batch', key, batch)).status, 200);
    assert.equal((await service.call(`${EMAIL}a@b.c`, key)).status, 429);
    assert.equal((await service.call(`${EMAIL}a@b.c`, 'no key')).status, 401);
    assert.equal((await service.call('/healthz')).status, 200);
    assert.equal((await service.call('/openapi.json')).status, 200);
    assert.equal((await service.call('/no/such/path')).status, 404);
    await sendRaw(service.port, 'GET / HTTP/9.9\r\n\r\n');

    const values = await scrapeUntil(service, (now) => getValue(now, 'usage_lag_seconds') === 0);
    const expected: Record<string, number> = {
      'requests_total{operation="validateEmail",status="200"}': 3,
      'requests_total{operation="validateEmail",status="429"}': 1,
      'requests_total{operation="validateEmail",status="401"}': 1,
      'requests_total{operation="validateEmailBatch",status="200"}': 1,
      'requests_total{operation="getMetadata",status="200"}': 3,
      'requests_total{operation="getMetadata",status="422"}': 1,
      'requests_total{operation="health",status="200"}': 1,
      'requests_total{operation="dashboard",status="200"}': 1,
      'requests_total{operation="none",status="404"}': 1,
      'requests_total{operation="none",status="400"}': 1,
      'request_duration_seconds_count{operation="validateEmail",status_class="2xx"}': 3,
      'request_duration_seconds_count{operation="validateEmail",status_class="429"}': 1,
      'request_duration_seconds_bucket{le="+Inf",operation="getMetadata",status_class="2xx"}': 3,
      requests_in_flight: 0,
      'rate_limit_units_total{limiter="key",decision="admitted"}': 8,
      'rate_limit_units_total{limiter="key",decision="refused"}': 1,
      'rate_limit_units_total{limiter="address",decision="admitted"}': 1,
      quota_refusals_total: 0,
      'cache_lookups_total{cache="metadata",result="hit"}': 1,
      'dns_lookups_total{outcome="records"}': 2,
      'dns_lookups_total{outcome="nxdomain"}': 1,
      dns_lookup_duration_seconds_count: 3,
      'fetches_total{kind="page",outcome="2xx"}': 1,
      'fetches_total{kind="page",outcome="4xx"}': 1,
      'fetches_total{kind="page",outcome="unreachable"}': 1,
      'fetch_duration_seconds_count{kind="page"}': 3,
      database_up: 1,
      usage_buffered_rows: 0,
      draining: 0,
      'shares_capacity{kind="emailRequests"}': 1024,
    };
    for (const [series, value] of Object.entries(expected))
      assert.equal(getValue(values, series), value, series);
    // A change of any account empties the cache, so the test does not know how many are hits.
    const lookups = ['hit', 'miss'].map((result) => `cache_lookups_total{cache="keys",result="${result}"}`);
    assert.equal(
      lookups.reduce((sum, series) => sum + getValue(values, series), 0),
      9,
    );
    assert.ok(getValue(values, 'cache_lookups_total{cache="email_domains",result="hit"}') >= 1);
    assert.ok(getValue(values, 'cache_lookups_total{cache="dns",result="hit"}') >= 1);
    assert.ok(getValue(values, 'database_queries_total{outcome="ok"}') > 0);
    assert.ok(
      [...values.keys()].some((name) => /^utility_api_build_info\{version="\d+\.\d+\.\d+"\}$/.test(name)),
    );
    assert.ok((values.get('nodejs_eventloop_lag_p99_seconds') ?? -1) >= 0);
    // Without them, these would look like an outage.
    for (const name of ['redis_up', 'replicas']) assert.ok(!values.has(`utility_api_${name}`), name);
    await dns.close();
  });

  it('renders by lane, slots, shares, and a killed browser', async () => {
    await using host = await openHost();
    await using service = await startApp({
      ...ON,
      ...WITH_BROWSER,
      ...host.settings,
      PLANS: 'p=100/1',
      PDF_SLOTS: '2',
    });
    const key = await service.createKey('p');
    const before = await scrape(service);
    assert.equal(getValue(before, 'browser_up'), 1);
    assert.equal(getValue(before, 'slots'), 2);
    assert.equal((await postPdf(service, key, { html: `<p>1<img src="${host.url}/200.png">` })).status, 200);
    assert.equal((await postPdf(service, key, { html: '<script>document.title=1</script>' })).status, 200);
    // Endless: it is in flight while others are refused, until its time is over.
    const slow = '<p id=x>1<script>setInterval(() => (x.textContent += 1), 1)</script>';
    const held = postPdf(service, key, { html: slow, wait_for_selector: '#never', timeout: 1500 });
    const refused = await Promise.all(
      Array.from({ length: 12 }, () => postPdf(service, key, { html: '<p>2' })),
    );
    assert.ok(refused.some(({ status }) => status === 429));
    const during = await scrape(service);
    assert.ok(getValue(during, 'share_refusals_total{kind="pdfRequests",reason="share"}') > 0);
    await held;
    const rendered = await scrape(service);
    assert.ok(getValue(rendered, 'renders_total{lane="static",outcome="ok"}') >= 1);
    assert.ok(getValue(rendered, 'renders_total{lane="warm",outcome="ok"}') >= 1);
    assert.ok(getValue(rendered, 'slot_wait_seconds_count') >= 3);
    assert.ok(getValue(rendered, 'slot_seconds_total') > 0);
    assert.equal(getValue(rendered, 'fetches_total{kind="resource",outcome="2xx"}'), 1);
    for (const gauge of ['renders_busy', 'renders_queued', 'shares_in_use{kind="browserPages"}'])
      assert.equal(getValue(rendered, gauge), 0, gauge);
    const started = getValue(rendered, 'browser_events_total{event="started"}');
    const pids = listBrowsers();
    assert.ok(pids.length > 0);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await scrapeUntil(
      service,
      (now) =>
        getValue(now, 'browser_events_total{event="ended"}') === 1 &&
        getValue(now, 'browser_events_total{event="started"}') === started + 1 &&
        getValue(now, 'browser_up') === 1,
    );
  });

  it('requests in flight: until the response ended, also of a call of the dashboard', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const host = createServer(
      (_request, response) => void opened.then(() => response.end('<title>t</title>')),
    );
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
    await using service = await startApp({ ...ON, EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    const key = await service.createKey();
    const abandon = new AbortController();
    const abandoned = service.call(`/v1/meta?url=${url}1`, key, { signal: abandon.signal });
    const waiting = service.call(`/v1/meta?url=${url}2`, key);
    const busy = await scrapeUntil(
      service,
      (now) => getValue(now, 'shares_in_use{kind="pageConnections"}') === 2,
    );
    assert.equal(getValue(busy, 'requests_in_flight'), 2);
    abandon.abort();
    await assert.rejects(abandoned);
    await scrapeUntil(service, (now) => getValue(now, 'requests_in_flight') === 1);
    open();
    assert.equal((await waiting).status, 200);
    const client = await openAccountClient(service.url, [(await service.app.createSetupLink()) ?? '']);
    const own = await client.createKey(service.url);
    const tried = await client.send('POST', `${service.url}/account/try/validateEmail?key_id=${own.id}`, {
      email: 'a@b.invalid',
    });
    assert.equal(tried.status, 200);
    const after = await scrapeUntil(service, (now) => getValue(now, 'requests_in_flight') === 0);
    assert.equal(getValue(after, 'requests_total{operation="getMetadata",status="499"}'), 1);
    assert.equal(getValue(after, 'requests_total{operation="validateEmail",status="200"}'), 1);
    host.close();
    host.closeAllConnections();
  });

  it('Redis: calls, leases, and an outage', { skip: skipRedis }, async () => {
    await using redis = await startRedis();
    await using service = await startApp({ ...ON, REDIS_URL: redis.url });
    const key = await service.createKey();
    for (let n = 0; n < 3; n += 1) assert.equal((await service.call(`${EMAIL}a@b.c`, key)).status, 200);
    const values = await scrape(service);
    assert.equal(getValue(values, 'redis_up'), 1);
    assert.equal(getValue(values, 'replicas'), 1);
    assert.ok(getValue(values, 'rate_limit_leases_total') >= 1);
    assert.ok(getValue(values, 'rate_limit_leased_units_total') >= 3);
    assert.equal(getValue(values, 'rate_limit_alone_decisions_total'), 0);
    assert.ok(getValue(values, 'redis_calls_total{outcome="ok"}') >= 2);
    assert.ok(getValue(values, 'redis_call_duration_seconds_count') >= 2);
    await redis.kill();
    await scrapeUntil(service, (now) => getValue(now, 'redis_up') === 0);
    const limited = await service.createKey();
    assert.equal((await service.call(`${EMAIL}a@b.c`, limited)).status, 200);
    await scrapeUntil(
      service,
      (now) =>
        getValue(now, 'rate_limit_alone_decisions_total') === 1 &&
        getValue(now, 'redis_calls_total{outcome="skipped"}') > 0 &&
        getValue(now, 'redis_calls_total{outcome="failed"}') > 0,
    );
  });
});

describe('what /metrics reveals', () => {
  it('nothing that a client sent, and no more series for a thousand random requests', async () => {
    await using service = await startApp(ON);
    const key = await service.createKey();
    const secret = 'S3cretWord';
    await service.call(`${EMAIL}${secret}@${secret}.com`, key, { headers: { 'user-agent': secret } });
    await service.call(`/v1/meta?url=http://${secret}.com/${secret}`, key);
    await postPdf(service, key, { html: `<p>${secret}` });
    await service.call(`/${secret}`, secret);
    // All statuses and operations that the random requests lead to.
    for (const method of ['GET', 'POST'])
      for (const path of ['/x', '/v1/x', '/account/x']) await service.call(path, key, { method });
    for (const path of ['/healthz', '/login', '/openapi.json', EMAIL])
      await service.call(path, key, { method: 'DELETE' });
    await service.call(EMAIL, key);
    await service.call('/healthz');
    const before = parseSeries(await loadText(service));
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'];
    for (let n = 0; n < 1_000; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const path = `/${n % 3 === 0 ? 'v1/' : n % 3 === 1 ? 'account/' : ''}${secret}${n + at}/x?y=${at}`;
          const method = methods[(n + at) % methods.length] ?? 'GET';
          return service
            .call(path, at % 2 ? key : `${secret}${at}`, { method })
            .then((reply) => reply.arrayBuffer());
        }),
      );
    const text = await loadText(service);
    const after = parseSeries(text);
    // Types of handles and kinds of garbage collection come and go.
    const own = (series: Iterable<string>): string[] =>
      [...series].filter((name) => name.startsWith('utility_api_'));
    const added = own(after.keys()).filter((name) => !before.has(name));
    assert.ok(added.length <= 64, added.join('\n'));
    const operations = added.filter((name) => !/operation="(?:none|dashboard)"/.test(name));
    assert.deepEqual(operations, []);
    assert.ok(after.size < 1_500, String(after.size));
    for (const word of [secret, secret.toLowerCase(), key, key.slice(0, 16), '@', '127.0.0.1'])
      assert.ok(!text.includes(word), word);
  });

  it('labels have only the values of their row', async () => {
    await using service = await startApp(ON);
    await service.call(`${EMAIL}a@b.c`, await service.createKey());
    const rows = new Map<string, MetricRow>(Object.values(METRICS).map((row) => [row.name, row]));
    for (const series of (await scrape(service)).keys()) {
      const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
      const row = rows.get(name.replace(/_seconds_(?:bucket|sum|count)$/, '_seconds'));
      if (row === undefined) continue;
      for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
        if (label === 'le' || label === 'version') continue;
        const values: LabelValues | undefined = row.labels[label];
        if (values === 'HTTP status') assert.match(value, /^[1-5]\d\d$/);
        else assert.ok(values?.includes(value), series);
      }
    }
  });
});

describe('the server of /metrics', () => {
  it('does not exist without METRICS_PORT', async () => {
    await using service = await startApp();
    assert.equal(service.app.getMetricsPort(), null);
    assert.equal((await service.call('/metrics')).status, 404);
  });

  it('answers GET and HEAD of /metrics and /readyz only', async () => {
    await using service = await startApp(ON);
    const url = `http://127.0.0.1:${service.app.getMetricsPort() ?? 0}`;
    const ok = await fetch(`${url}/metrics?x`);
    assert.equal(ok.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal((await fetch(`${url}/metrics`, { method: 'HEAD' })).status, 200);
    assert.deepEqual(((await (await fetch(`${url}/readyz`)).json()) as { status: string }).status, 'ready');
    for (const path of ['/', '/metrics/', '/healthz', '/v1/email/validate'])
      assert.equal((await fetch(url + path)).status, 404, path);
    const refused = await fetch(`${url}/metrics`, { method: 'POST', body: 'x' });
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD']);
    const { text } = await sendRaw(service.app.getMetricsPort() ?? 0, 'nonsense\r\n\r\n');
    assert.match(text, /^HTTP\/1\.1 400 /);
  });

  it('a port in use, and the port of the service, are refused at the start', async () => {
    await using first = await startApp(ON);
    const used = first.app.getMetricsPort() ?? 0;
    await assert.rejects(startApp({ METRICS_PORT: String(used) }), {
      name: 'StartError',
      message: new RegExp(
        `^The metrics cannot listen on 127\\.0\\.0\\.1:${used}: .*EADDRINUSE.* Set METRICS_HOST`,
      ),
    });
    const [port = 0] = await findFreePorts(1);
    await assert.rejects(startApp({ PORT: String(port), METRICS_PORT: String(port) }), {
      message: new RegExp(`^METRICS_PORT and PORT are both ${port}\\.`),
    });
  });

  it('answers again within seconds after stalled connections have filled all places', async () => {
    await using service = await startApp(ON);
    const port = service.app.getMetricsPort() ?? 0;
    const stalled = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
    await Promise.all(stalled.map(async (socket) => once(socket, 'connect')));
    for (const socket of stalled) socket.on('error', () => {}).write('GET /metrics HTTP/1.1\r\n');
    await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`));
    await Promise.all(stalled.map(async (socket) => once(socket.resume(), 'close')));
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200);
  });

  it('answers during a drain, and is closed at its end', async () => {
    const service = await startApp({ ...ON, SHUTDOWN_DELAY_MS: '300' });
    const port = service.app.getMetricsPort() ?? 0;
    const closed = service.app.close();
    await scrapeUntil(service, (now) => getValue(now, 'draining') === 1);
    await closed;
    await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`));
    await service[Symbol.asyncDispose]();
  });

  it('cannot be reached through the URLs of callers, on any address of this machine', async () => {
    for (const METRICS_HOST of ['127.0.0.1', '0.0.0.0']) {
      await using service = await startApp({
        ...ON,
        METRICS_HOST,
        EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
      });
      const key = await service.createKey();
      const port = service.app.getMetricsPort() ?? 0;
      const hosts = [
        '127.0.0.1',
        '[::ffff:127.0.0.1]',
        '0.0.0.0',
        ...(METRICS_HOST === '0.0.0.0' ? ['127.0.0.2'] : []),
      ];
      for (const host of hosts) {
        const response = await service.call(`/v1/meta?url=http://${host}:${port}/metrics`, key);
        assert.equal(response.status, 422, host);
        assert.match(await response.text(), /does not fetch port|could not be reached/);
      }
    }
  });
});
