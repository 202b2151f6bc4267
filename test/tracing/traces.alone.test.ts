/** Traces that a collector receives; a collector that is away; and what is loaded if none is set. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Collector, type ReceivedSpan, startCollector } from '../support/otlp-collector.ts';
import { startApp, WITH_BROWSER } from '../support/start-app.ts';
import { type LoggedService, startLoggedService } from '../support/logged-service.ts';

const MARK = 'hunter2zq';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRUSTED = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-forwarded-for': '203.0.113.9' };

describe('a collector receives', () => {
  let collector: Collector;
  let key: string;
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${MARK}</title>`);
  }).listen(0, '127.0.0.2');

  before(async () => {
    await once(site, 'listening');
    collector = await startCollector();
    // The SDK reads its own variables from the environment of the process.
    process.env['OTEL_SERVICE_NAME'] = 'api-under-test';
    // Spans are sent when the service ends: no test waits for the interval.
    await using service = await startApp({
      ...WITH_BROWSER,
      EGRESS_ALLOW_CIDRS: '127.0.0.2/32',
      TRUST_PROXY: '127.0.0.1/32',
      PDF_SLOTS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    });
    key = await service.createKey();
    const { port } = site.address() as AddressInfo;
    const page = encodeURIComponent(`http://127.0.0.2:${port}/${MARK}`);
    const json = { 'content-type': 'application/json' };
    const statuses: number[] = [];
    for (const [path, headers, body] of [
      [`/v1/email/validate?email=${MARK}@${MARK}.invalid`, TRUSTED],
      [`/v1/email/validate?email=${MARK}@${MARK}.com`, { traceparent: `00-${TRACE}-${PARENT}-00x` }],
      [`/v1/meta?url=${page}`, {}],
      ['/v1/pdf/generate', json, `{"html":"<p>${MARK}</p>"}`],
      [`/v1/${MARK}`, {}],
    ] as [string, Record<string, string>, string?][]) {
      const init = body === undefined ? { headers } : { method: 'POST', headers, body };
      const response = await service.call(path, key, init);
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 404]);
  });
  after(async () => {
    site.closeAllConnections();
    site.close();
    await collector[Symbol.asyncDispose]();
  });

  const findRequest = (name: string): ReceivedSpan => {
    const span = collector.spans.find((one) => one.name === name);
    assert.ok(span, `${name} is not among ${collector.spans.map((one) => one.name).join(', ')}`);
    return span;
  };
  /** Returns the names of the spans within one, each with those within it. */
  const findChildren = ({ spanId, traceId }: ReceivedSpan): Record<string, object> =>
    Object.fromEntries(
      collector.spans
        .filter((one) => one.parentId === spanId)
        .map((one) => {
          assert.equal(one.traceId, traceId);
          return [one.name, findChildren(one)];
        }),
    );

  it('the spans of a request of each operation, with their parents', () => {
    const admission = { 'database findKeyBySecretHash': {} };
    assert.deepEqual(findChildren(findRequest('GET /v1/email/validate')), { admission });
    const children = {
      'POST /v1/pdf/generate': { render: { 'queue browserPages': {}, print: {} } },
      'GET /v1/meta': { 'queue pageConnections': {}, fetch: {} },
    };
    for (const [name, expected] of Object.entries(children)) {
      // A key is looked up again some seconds later, which a slow machine may take.
      const { admission: repeated, ...rest } = findChildren(findRequest(name));
      assert.ok(isDeepStrictEqual(repeated, {}) || isDeepStrictEqual(repeated, admission), name);
      assert.deepEqual(rest, expected, name);
    }
    const second = collector.spans.filter(({ name }) => name === 'GET /v1/email/validate')[1];
    const { admission: repeated, ...waits } = second ? findChildren(second) : {};
    assert.ok(repeated);
    assert.deepEqual(waits, { 'dns lookup': {}, 'queue dnsLookups': {} });
  });

  it('the semantic conventions: route, status, method', () => {
    const { kind, attributes, status } = findRequest('GET /v1/meta');
    assert.equal(kind, 2);
    assert.equal(status, 0);
    const { 'utility_api.request_id': id, ...rest } = attributes;
    assert.match(String(id), /^[\w-]{12}-\w{6}$/);
    assert.deepEqual(rest, {
      'http.request.method': 'GET',
      'http.route': '/v1/meta',
      'http.response.status_code': 200,
    });
    assert.deepEqual(findRequest('GET').attributes['error.type'], 'not_found');
    assert.equal(collector.resource['service.name'], 'api-under-test');
  });

  it('the trace of a proxy that is trusted, and of no other', () => {
    const [first, second] = collector.spans.filter(({ name }) => name === 'GET /v1/email/validate');
    assert.equal(first?.traceId, TRACE);
    assert.equal(first.parentId, PARENT);
    assert.notEqual(second?.traceId, TRACE);
    assert.equal(second?.parentId, '');
  });

  it('nothing that a client sent', () => {
    const text = collector.getText();
    for (const secret of [MARK, key, '127.0.0.2', '203.0.113.9']) assert.ok(!text.includes(secret), secret);
    assert.ok(collector.requests.every(({ path }) => path === '/v1/traces'));
  });
});

describe('a collector that does not respond', () => {
  it('delays neither requests nor the end of the service', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const service = await startLoggedService({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
    await callOften(service, 100);
    assert.equal(await service.stop(), 0);
    await service[Symbol.asyncDispose]();
    silent.closeAllConnections();
    silent.close();
  });

  it('is reported once when it refuses connections', async () => {
    await using service = await startLoggedService({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    await callOften(service, 10);
    assert.equal(await service.stop(), 0);
    const lines = service.getLines().filter(({ msg }) => msg.includes('collector'));
    assert.ok(lines.length <= 1);
  });
});

async function callOften({ port, key }: LoggedService, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const url = `http://127.0.0.1:${port}/v1/email/validate?email=a@b.invalid`;
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  }
}

describe('without a collector', () => {
  it('no package of OpenTelemetry is loaded', async () => {
    // The registration of hooks sees each module that is loaded after it.
    const code = `import { registerHooks } from 'node:module';
        registerHooks({ resolve(name, context, next) {
          const found = next(name, context);
          if (found.url.includes('@opentelemetry')) console.log('loaded ' + found.url);
          return found;
        } })`;
    const hooks = `data:text/javascript,${encodeURIComponent(code)}`;
    await using service = await startLoggedService({ NODE_OPTIONS: `--import=${hooks}` });
    await callOften(service, 1);
    assert.equal(await service.stop(), 0);
    assert.doesNotMatch(service.getText(), /loaded /);
  });
});
