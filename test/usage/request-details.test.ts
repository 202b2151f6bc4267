/** The request log of the real service: what it knows about each request, and what it must not know. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { LoggedRequest } from '#usage';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';
import { patientMs } from '../support/patience.ts';

/** Each is in a request of this file, where an address, a URL, a document or a name of the client may be. */
const SECRETS = ['private-person', 'secret-path', 'hidden-text', 'made_up_member', 'made-up-agent'];

const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'user-agent': 'made-up-agent' },
  body: JSON.stringify(body),
});

/** Returns the requests of this file, for pages of the site at `base`. */
function createRequests(base: string) {
  const meta = (path: string, more = ''): [path: string] => [
    `/v1/meta?url=${encodeURIComponent(base + path)}${more}`,
  ];
  const urls = [`${base}/secret-path`, 'http://private-person.invalid/'];
  const html = '<p>hidden-text';
  return {
    email: ['/v1/email/validate?email=private-person@b.invalid'],
    badTimeout: meta('/', '&timeout=1'),
    madeUpMember: ['/v1/pdf/generate', post({ html: 'x', made_up_member: 1 })],
    madeUpPath: ['/v1/secret-path?made_up_member=1'],
    redirect: meta('/hop?private-person', '&timeout=5000'),
    silent: meta('/silent/secret-path', '&timeout=1000'),
    rendered: meta('/secret-path', '&details=true&render=true'),
    staticPdf: ['/v1/pdf/generate', post({ html })],
    threePdfs: ['/v1/pdf/generate', post({ html, more_documents: [{ html }, { html }] })],
    freshPdf: ['/v1/pdf/generate', post({ html: `${html}<script>document.title = 1</script>` })],
    batch: ['/v1/meta/batch', post({ urls })],
  } satisfies Record<string, [path: string, init?: RequestInit]>;
}

describe('the request log', () => {
  let service: TestApp;
  let site: Server;
  let base: string;
  let lines: Record<keyof ReturnType<typeof createRequests>, LoggedRequest>;
  before(async () => {
    site = createServer((request, response) => {
      const path = request.url ?? '';
      if (path.startsWith('/hop')) response.writeHead(302, { location: '/secret-path' }).end();
      else if (!path.startsWith('/silent'))
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<title>hidden-text</title></head><body>');
    });
    site.listen(0, '127.0.0.1');
    service = await startApp({ ...WITH_BROWSER, EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
    base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const key = await service.createKey('pro');
    // All at once: a line is in the database when the next flush has ended.
    const logged = Object.entries(createRequests(base)).map(async ([name, [path, init]]) => [
      name,
      await log(key, path, init),
    ]);
    lines = Object.fromEntries(await Promise.all(logged)) as typeof lines;
  });
  after(async () => {
    site.closeAllConnections();
    site.close();
    await service[Symbol.asyncDispose]();
  });

  /** Sends a request and returns its line of the log. */
  async function log(key: string, path: string, init?: RequestInit): Promise<LoggedRequest> {
    const response = await service.call(path, key, init);
    await response.arrayBuffer();
    const id = response.headers.get('x-request-id') ?? '';
    for (let tries = 0; tries < patientMs(400); tries += 1) {
      const line = await service.app.storage.usage.findRequest(id, null);
      if (line) return line;
      await setTimeout(25);
    }
    throw new Error(`the log has no line for ${id}`);
  }

  it('has the route, the units and the rest of the limit, and no error of a request that succeeded', () => {
    const { id: _id, accountId: _account, keyId, requestId, ms, atMs, ...line } = lines.email;
    assert.ok(keyId !== '' && requestId !== '' && ms >= 0 && atMs > 0);
    assert.deepEqual(line, {
      operation: 'validateEmail',
      status: 200,
      route: 'GET /v1/email/validate',
      units: 1,
      limitPerMinute: 600,
      limitRemaining: line.limitRemaining,
    });
    assert.ok((line.limitRemaining ?? -1) >= 0 && (line.limitRemaining ?? 600) < 600);
  });

  it('has the error and the parameter at fault, but no name that the client made up', () => {
    const { badTimeout, madeUpMember, madeUpPath } = lines;
    const { status, error, param } = badTimeout;
    assert.deepEqual([status, error, param], [400, 'invalid_parameter', 'timeout']);
    assert.deepEqual([madeUpMember.error, madeUpMember.param], ['invalid_parameter', 'unknown']);
    const { operation, error: lost, route } = madeUpPath;
    assert.deepEqual([operation, lost, route], ['none', 'not_found', undefined]);
  });

  it('has the phases of a page: those of all its hops, and the time allowed', () => {
    const { phases, timeoutMs } = lines.redirect;
    assert.equal(timeoutMs, 5_000);
    for (const phase of ['dns', 'connect', 'first_byte', 'body'] as const)
      assert.equal(typeof phases?.[phase], 'number', phase);
  });

  it('says that a page that timed out was waited for after the connection', () => {
    const { phases = {}, status, error, ms } = lines.silent;
    const { first_byte: firstByteMs = 0, body } = phases;
    assert.deepEqual([status, error, body], [408, 'timeout', undefined]);
    assert.ok(firstByteMs > 500 && firstByteMs <= ms, `${firstByteMs} of ${ms} ms`);
  });

  it('has the time in the browser of a page that scripts draw', () => {
    assert.ok((lines.rendered.phases?.render ?? 0) > 0, JSON.stringify(lines.rendered));
  });

  it('has the phases of a document in both lanes, and its deadline', () => {
    for (const { phases, timeoutMs, status } of [lines.staticPdf, lines.freshPdf]) {
      assert.equal(status, 200);
      assert.ok((timeoutMs ?? 0) >= 10_000);
      assert.ok((phases?.load ?? 0) > 0 && (phases?.print ?? 0) > 0, JSON.stringify(phases));
    }
  });

  it('has the units of a PDF of several documents', () => {
    const { units, status, operation } = lines.threePdfs;
    assert.deepEqual([units, status, operation], [3, 200, 'generatePdf']);
  });

  it('has the units of a batch, and how many of its items failed', () => {
    const { units, failedItems, route } = lines.batch;
    assert.deepEqual([units, failedItems, route], [2, 1, 'POST /v1/meta/batch']);
  });

  it('never holds an address, a URL, a document, or text that the client sent', async () => {
    const files = await Promise.all(
      ['utility-api.db', 'utility-api.db-wal'].map((name) =>
        readFile(`${service.dataDir}/${name}`, 'latin1'),
      ),
    );
    const text = files.join('');
    assert.ok(text.includes('GET /v1/email/validate'));
    for (const secret of [...SECRETS, base])
      assert.ok(!text.includes(secret), `${secret} is in the database`);
  });
});
