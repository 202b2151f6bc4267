/** Why a target is unreachable: the caller gets one response for all reasons, the log has the reason. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { findFreePorts } from '../support/free-ports.ts';
import { type LoggedService, type LogLine, startLoggedService } from '../support/logged-service.ts';
import { waitUntil } from '../support/replicas.ts';

const MARK = 'hunter2zq';
let dns: DnsServer;
let service: LoggedService;
/** Targets by the cause in the log. */
let targets: Record<string, string>;

before(async () => {
  const [closed = 0] = await findFreePorts(1);
  dns = await startDnsServer({
    zones: {
      [`${MARK}.example-site.com`]: { A: ['127.0.0.2'] },
      [`inside.${MARK}.example-site.com`]: { A: ['10.0.0.5'] },
      [`mail.${MARK}.example-site.com`]: { MX: [{ exchange: 'mx.example-site.com', priority: 10 }] },
    },
  });
  service = await startLoggedService({
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.2/32',
  });
  targets = {
    ECONNREFUSED: `http://${MARK}.example-site.com:${closed}/${MARK}`,
    GUARD_ADDRESS: `http://inside.${MARK}.example-site.com/${MARK}`,
    GUARD_NAME: `http://${MARK}.internal/${MARK}`,
    NXDOMAIN: `http://missing.${MARK}.example-site.com/${MARK}`,
    NODATA: `http://mail.${MARK}.example-site.com/${MARK}`,
  };
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await dns?.close();
});

/** Returns the head and the body of the response for a target, without what always differs. */
async function read(target: string): Promise<{ id: string; bytes: string }> {
  const url = `http://127.0.0.1:${service.port}/v1/meta?url=${encodeURIComponent(target)}`;
  const response = await fetch(url, { headers: { 'x-api-key': service.key } });
  const id = response.headers.get('x-request-id') ?? assert.fail();
  const differing = new Set(['date', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset']);
  const head = [...response.headers].filter(([name]) => !differing.has(name));
  const text = `${response.status} ${JSON.stringify(head)} ${await response.text()}`;
  return { id, bytes: text.replaceAll(id, 'ID') };
}

it('an address that the guard refuses, a name without one and a refused connection have equal responses', async () => {
  const answers = await Promise.all(Object.values(targets).map(read));
  assert.match(answers[0]?.bytes ?? '', /^422 .*"error":"unreachable"/);
  for (const { bytes } of answers) assert.equal(bytes, answers[0]?.bytes);
});

it('the line of the request has the cause once, at info, and nothing of the URL', async () => {
  for (const [cause, target] of Object.entries(targets)) {
    const { id } = await read(target);
    const find = (): LogLine[] => service.getLines().filter((line) => line['requestId'] === id);
    await waitUntil(() => find().length > 0);
    const [line, ...others] = find();
    assert.deepEqual(
      [line?.level, line?.msg, line?.['error'], line?.['cause'], others],
      [30, 'request completed', 'unreachable', cause, []],
    );
  }
  assert.ok(!service.getText().includes(MARK));
});
