/** OPERATIONS: what a process serves, and what it then needs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { openAccountClient } from '../../support/account-client.ts';
import { waitForRoomInMinute } from '../../support/clock-minute.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../../support/start-app.ts';

type Name = 'email' | 'metadata' | 'pdf';

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } };

/** The members of the health that this test reads. */
interface SystemHealthJson {
  status: string;
  version: string;
  memory_bytes: number;
  event_loop: { p50_ms: number; max_ms: number };
  parts: {
    database: { ok: boolean; kind: string; bytes: number };
    redis: null;
    browser: { slots: number } | null;
    dns: { servers: string[] };
  };
  queues: { kind: string; held: number }[];
}

/** One request to each route of an operation that the service answers without the network. */
const ROUTES: Record<Name, [path: string, init: RequestInit, status: number][]> = {
  email: [
    ['/v1/email/validate?email=a@b.invalid', {}, 200],
    ['/v1/email/validate/batch', { ...POST, body: '{"emails":["a@b.invalid"]}' }, 200],
  ],
  metadata: [
    ['/v1/meta?url=http://127.0.0.1/', {}, 422],
    ['/v1/meta/batch', { ...POST, body: '{"urls":["http://127.0.0.1/"]}' }, 200],
  ],
  // Without a browser, a served PDF request is 503.
  pdf: [['/v1/pdf/generate', { ...POST, body: '{"html":"x"}' }, 503]],
};

const NAMES = Object.keys(ROUTES) as Name[];
const SUBSETS: Name[][] = [
  ['email'],
  ['metadata'],
  ['pdf'],
  ['email', 'metadata'],
  ['metadata', 'pdf'],
  NAMES,
];

async function loadParts({ url }: TestApp): Promise<Record<string, { ok: boolean }>> {
  const response = await fetch(`${url}/readyz`);
  assert.equal(response.status, 200);
  return ((await response.json()) as { parts: Record<string, { ok: boolean }> }).parts;
}

/** The names of the programs that this process started and that still run. */
function listPrograms(): string[] {
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim();
  return pids === '' ? [] : pids.split(' ').map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
}

describe('OPERATIONS', () => {
  for (const served of SUBSETS)
    it(`${served.join(',')}: the routes of the others are 404 after the key and the rate limit`, async () => {
      await using service = await startApp({ OPERATIONS: served.join(',') });
      const key = await service.createKey();
      await waitForRoomInMinute(10_000);
      for (const name of NAMES)
        for (const [path, init, status] of ROUTES[name]) {
          const response = await service.call(path, key, init);
          const body = (await response.json()) as { error?: string };
          if (served.includes(name)) assert.equal(response.status, status, path);
          else assert.deepEqual([response.status, body.error], [404, 'not_found'], path);
          assert.equal((await service.call(path, null, init)).status, 401, path);
        }
      const counted = ROUTES.email.length + ROUTES.metadata.length + ROUTES.pdf.length + 1;
      const last = await service.call('/v1/nothing', key);
      assert.equal(last.headers.get('x-ratelimit-remaining'), String(6000 - counted));
    });

  it('the API reference describes what is served, with its tags', async () => {
    await using service = await startApp({ OPERATIONS: 'metadata' });
    const document = (await (await service.call('/openapi.json')).json()) as {
      paths: object;
      tags: { name: string }[];
    };
    assert.deepEqual(Object.keys(document.paths), ['/v1/meta', '/v1/meta/batch']);
    assert.deepEqual(
      document.tags.map(({ name }) => name),
      ['metadata'],
    );
  });

  it('the dashboard learns what is served, and its calls of the others are refused', async () => {
    await using service = await startApp({ OPERATIONS: 'metadata,email' });
    const client = await openAccountClient(service.url, [(await service.app.createSetupLink()) ?? '']);
    const session = await client.send('GET', `${service.url}/account/session`);
    assert.deepEqual((session.body as { operations: string[] }).operations, ['validateEmail', 'getMetadata']);
    const health = (await client.send('GET', `${service.url}/account/admin/health`)).body as SystemHealthJson;
    assert.equal(health.status, 'ready');
    assert.match(health.version, /^\d+\.\d+\.\d+/);
    assert.ok(health.memory_bytes > 10_000_000);
    assert.ok(health.event_loop.max_ms >= health.event_loop.p50_ms);
    const { database, redis, browser, dns } = health.parts;
    assert.deepEqual([database.ok, database.kind, redis], [true, 'SQLite', null]);
    assert.ok(database.bytes > 0);
    assert.ok(browser === null || browser.slots > 0);
    assert.ok(dns.servers.every((server) => /:\d+$/.test(server)));
    assert.deepEqual(health.queues.find(({ kind }) => kind === 'pageConnections')?.held, 0);
    const key = await client.createKey(service.url);
    const tryIt = async (operation: string, body: object) =>
      client.send('POST', `${service.url}/account/try/${operation}?key_id=${key.id}`, body);
    assert.equal((await tryIt('validateEmail', { email: 'a@b.invalid' })).status, 200);
    const refused = await tryIt('generatePdf', { html: 'x' });
    assert.equal(refused.status, 404);
    assert.match(JSON.stringify(refused.body), /This server does not serve this operation/);
  });

  it('email, and metadata without META_RENDER: no browser starts, and /readyz has none', async () => {
    for (const settings of [
      { OPERATIONS: 'email' },
      { OPERATIONS: 'email,metadata', META_RENDER: 'false' },
    ]) {
      await using service = await startApp({ ...WITH_BROWSER, ...settings });
      assert.deepEqual(Object.keys(await loadParts(service)), ['database', 'process']);
      assert.deepEqual(listPrograms(), []);
    }
  });

  it('metadata with META_RENDER: a browser starts, and PDF is 404', async () => {
    await using service = await startApp({ ...WITH_BROWSER, OPERATIONS: 'metadata' });
    assert.equal((await loadParts(service))['browser']?.ok, true);
    assert.notDeepEqual(listPrograms(), []);
    const [path, init] = ROUTES.pdf[0] ?? ['', {}];
    assert.equal((await service.call(path, await service.createKey(), init)).status, 404);
  });

  it('pdf: a browser starts, and documents are rendered', async () => {
    await using service = await startApp({ ...WITH_BROWSER, OPERATIONS: 'pdf' });
    assert.equal((await loadParts(service))['browser']?.ok, true);
    const [path, init] = ROUTES.pdf[0] ?? ['', {}];
    assert.equal((await service.call(path, await service.createKey(), init)).status, 200);
  });
});
