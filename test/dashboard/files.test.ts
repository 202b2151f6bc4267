/** The dashboard's files: headers, size, and paths that are not the dashboard's. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { FIRST_LOAD_BUDGET_BYTES, measureFirstLoad } from '../../dashboard/build/measure-first-load.ts';
import { DASHBOARD_PAGES, routeDashboard } from '../../src/http/dashboard.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { buildDashboard } from './open-dashboard.ts';

const dist = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
let service: TestApp;

before(async () => {
  await buildDashboard();
  service = await startApp();
});

after(() => service?.[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) => service.call(path, null, { headers });

describe('a page', () => {
  it('allows scripts of this service only, styles with a new nonce each time, and no frames', async () => {
    const nonces = new Set<string>();
    for (const path of DASHBOARD_PAGES) {
      const response = await get(path);
      const html = await response.text();
      assert.equal(response.status, 200, path);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}';/);
      assert.match(policy, /base-uri 'none'; frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe|http|\*/);
      const nonce = /nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      assert.ok(html.includes(`nonce="${nonce}"`));
      assert.ok(!html.includes('CSP_NONCE'));
      nonces.add(nonce);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(response.headers.get('x-frame-options'), 'DENY');
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
    assert.equal(nonces.size, DASHBOARD_PAGES.length);
  });

  it('contains no inline script and no URL of another host', async () => {
    for (const path of ['/', '/reference']) {
      const html = await (await get(path)).text();
      assert.doesNotMatch(html, /<script(?![^>]* src=)/);
      assert.doesNotMatch(html, /https?:\/\//);
    }
  });

  it('of the API reference also allows style attributes, and nothing else', async () => {
    const policy = (await get('/reference')).headers.get('content-security-policy') ?? '';
    assert.match(policy, /; style-src-attr 'unsafe-inline'$/);
    assert.equal(policy.match(/unsafe/g)?.length, 1);
  });

  it('exists for every path of the dashboard’s router, and for no other', async () => {
    const source = await readFile(
      fileURLToPath(new URL('../../dashboard/src/router.tsx', import.meta.url)),
      'utf8',
    );
    const paths = [...source.matchAll(/path: '([^']+)'/g)].map((match) => match[1] ?? '');
    assert.deepEqual(new Set(paths), new Set<string>(DASHBOARD_PAGES));
  });

  it('is never the response to a path of the API', async () => {
    for (const path of [
      '/v1',
      '/v1/nothing',
      '/account/nothing',
      '/openapi.json',
      '/healthz',
      '/readyz',
      '/readyz/nothing',
      '/assets',
      '/assets/nothing.js',
      '/assets/..%2findex.html',
    ]) {
      const response = await get(path, { accept: 'text/html' });
      assert.doesNotMatch(response.headers.get('content-type') ?? '', /html/, path);
      await response.arrayBuffer();
    }
  });

  it('that does not exist is the dashboard’s 404 page for a browser, and JSON for other clients', async () => {
    for (const path of [
      '/kyes',
      '/keys/nothing',
      '/v1x',
      '/index.html',
      '/.vite/manifest.json',
      '/%2e%2e/x',
    ]) {
      const page = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      assert.equal(page.status, 404, path);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.equal(page.headers.get('cache-control'), 'no-store');
      assert.match(await page.text(), /<div id="root">/);
      for (const init of [
        { headers: { accept: '*/*' } },
        { method: 'POST', headers: { accept: 'text/html' } },
      ]) {
        const response = await service.call(path, null, init);
        assert.equal(response.status, 404);
        assert.equal(((await response.json()) as { error: string }).error, 'not_found');
      }
    }
  });

  it('for changing passwords has a well-known URL, which redirects to the settings', async () => {
    const response = await service.call('/.well-known/change-password', null, { redirect: 'manual' });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), '/settings');
  });

  it('says how to build the dashboard if it is not built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-dashboard-'));
    const app = Fastify();
    await routeDashboard(app, { folder: join(folder, 'dist') });
    for (const path of ['/', '/keys', '/reference']) {
      const response = await app.inject(path);
      assert.equal(response.statusCode, 503);
      assert.match(response.body, /npm run setup/);
      assert.match(String(response.headers['content-type']), /^text\/plain/);
    }
    await app.close();
    await rm(folder, { recursive: true });
  });
});

describe('an asset', () => {
  it('is immutable and precompressed', async () => {
    const files = await readdir(join(dist, 'assets'));
    const entry = files.find((file) => /^index-.*\.js$/.test(file)) ?? '';
    for (const [encoding, extension] of [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const) {
      const response = await get(`/assets/${entry}`, { 'accept-encoding': encoding });
      assert.equal(response.headers.get('content-encoding'), encoding);
      assert.match(response.headers.get('content-type') ?? '', /javascript/);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(response.headers.get('vary'), 'accept-encoding');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      const size = (await readFile(join(dist, 'assets', entry + extension))).length;
      assert.equal(response.headers.get('content-length'), String(size));
      await response.arrayBuffer();
    }
    const plain = await get(`/assets/${entry}`, { 'accept-encoding': 'identity' });
    assert.equal(plain.headers.get('content-encoding'), null);
    await plain.arrayBuffer();
  });

  it('without a hash in its name is cached for an hour', async () => {
    for (const file of ['favicon.svg', 'color-scheme.js', 'robots.txt']) {
      const response = await get(`/${file}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=3600');
      await response.arrayBuffer();
    }
  });
});

describe('the build', () => {
  it('keeps every page’s first load within 250 kB of compressed script', () => {
    const pages = measureFirstLoad(dist);
    assert.ok(pages.size > 10);
    for (const [page, bytes] of pages) assert.ok(bytes <= FIRST_LOAD_BUDGET_BYTES, `${page}: ${bytes}`);
  });

  it('loads PDF pages and the API reference on demand', async () => {
    const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
      string,
      object
    >;
    assert.ok(manifest['src/pages/try/pdf/pdf-pages.tsx']);
    assert.ok(manifest['reference.html']);
  });

  it('is not repeated if nothing has changed', async () => {
    assert.deepEqual(await buildDashboard(), { built: false });
  });
});
