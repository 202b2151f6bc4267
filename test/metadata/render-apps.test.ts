/**
 * Apps of four frameworks, three of each, bundled as their tools do. render=auto recognizes each as a shell
 * and describes what it draws.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createPageRenderer } from '#browser';
import { type FetchPage, getMetadata, type PageMetadata } from '#metadata';
import { openSlots, type TestSlots } from '../browser/open-slots.ts';
import { sample } from '../support/sample.ts';
import { installLibraries } from '../pdf/fixtures/install-libraries.ts';
import { bundleApps } from './apps/bundle-app.ts';
import { scaledMs } from '../support/patience.ts';

const APPS = ['react', 'vue', 'svelte', 'angular'].flatMap((framework) =>
  ({
    react: ['title', 'lazy', 'effect'],
    vue: ['options', 'setup', 'router'],
    svelte: ['await', 'hash', 'head'],
    angular: ['title', 'fetch', 'router'],
  })[framework]!.map((app) => `${framework}-${app}`),
);
/** One app of each framework, unless all of what is long runs. */
const TRIED = sample(APPS, 3, (app) => app.split('-')[0] ?? '');
const PRODUCT = JSON.stringify({ name: 'Product 7', text: 'A product' });

let slots: TestSlots;
let chunks: Map<string, string>;

before(async () => {
  const packages = await installLibraries(join(import.meta.dirname, 'apps'));
  chunks = await bundleApps(TRIED, packages);
  slots = await openSlots();
});
after(() => slots?.close());

/** The page that a build tool makes for an app. */
function createShell(app: string): string {
  const mount = app.startsWith('angular') ? '<app-root></app-root>' : '<div id="root"></div>';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <link rel="icon" href="/favicon.svg" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>Shop</title>
    <script type="module" crossorigin src="/${app}.js"></script>
  </head>
  <body>
    <noscript>You need to enable JavaScript to run this app.</noscript>
    ${mount}
  </body>
</html>`;
}

function describeApp(app: string): Promise<PageMetadata> {
  const fetchPage: FetchPage = (request, reader) => {
    const headers = new Map([['content-type', 'text/html']]);
    const head = { finalUrl: request.url.href, status: 200, headers, redirects: [] };
    reader.start(head);
    reader.write(Buffer.from(createShell(app)));
    return Promise.resolve({ head, end: 'complete', visit: { redirects: [], state: null } });
  };
  const renderPage = createPageRenderer({
    slots,
    rendererMemoryMb: 600,
    now: Date.now,
    openResourceFetcher:
      () =>
      ({ url }) => {
        const { pathname } = new URL(url);
        const found = pathname === '/api/product.json' ? PRODUCT : chunks.get(pathname);
        const type = pathname.endsWith('.json') ? 'application/json' : 'text/javascript';
        const headers: [string, string][] = [['content-type', type]];
        const status = found === undefined ? 404 : 200;
        return Promise.resolve({ url, status, headers, body: Buffer.from(found ?? '') });
      },
  });
  return getMetadata(
    {
      url: 'https://shop.example/',
      followRedirects: true,
      timeoutMs: scaledMs(20_000),
      details: true,
      render: 'auto',
    },
    {
      fetchPage,
      renderPage: (request, signal) => renderPage(request, { accountId: 'a' }, signal),
      client: 'a',
      now: Date.now,
    },
  );
}

describe('render=auto describes what an app draws', () => {
  for (const app of TRIED)
    it(app, async () => {
      const { title, description, og, details } = await describeApp(app);
      assert.deepEqual(
        [title, description, og.title, details?.rendered],
        ['Product 7', 'A product', 'Product 7', true],
      );
    });
});
