import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMetadataCache, getMetadata } from '#metadata';
import { ico, jpeg, png, svg } from './images.ts';
import { describeSite, serveSite, type ServedFile } from './served-site.ts';

const A = 'https://a.example';
const image = (body: Buffer, type = 'image/png'): ServedFile => ({ body, type });
const page = (links: string): ServedFile => ({ body: `<head><title>T</title>${links}</head><body>` });

/** The probed images of a page with these links on a site with these files. */
async function probe(links: string, files: Record<string, ServedFile>) {
  const site = serveSite({ [`${A}/`]: page(links), ...files });
  const { favicon, details } = await describeSite(site, { probe: true });
  assert.equal(favicon, details!.probed!.favicon.url);
  return { ...details!.probed!, requested: site.listObjects() };
}

describe('probe=true', () => {
  it('reports type and size of the favicon and of the image', async () => {
    const { favicon, image: found } = await probe(
      '<link rel=icon href=i.ico><meta property=og:image content=card.jpg>',
      { [`${A}/i.ico`]: image(ico(16, 48)), [`${A}/card.jpg`]: image(jpeg(1200, 630), 'text/plain') },
    );
    assert.deepEqual(favicon, {
      url: `${A}/i.ico`,
      exists: true,
      type: 'image/x-icon',
      width: 48,
      height: 48,
    });
    assert.deepEqual(found, {
      url: `${A}/card.jpg`,
      exists: true,
      type: 'image/jpeg',
      width: 1200,
      height: 630,
    });
  });

  it('falls back to the next icon if one does not exist or is no image; the favicon is then that one', async () => {
    const site = serveSite({
      [`${A}/`]: page('<link rel=icon href=i.svg><link rel=icon href=i.png><link rel=icon href=j.png>'),
      [`${A}/i.svg`]: { body: '<html>no such icon', type: 'text/html' },
      [`${A}/i.png`]: { status: 404, body: png(1, 1), type: 'image/png' },
      [`${A}/j.png`]: image(png(32, 32)),
    });
    const { favicon, details } = await describeSite(site, { probe: true });
    assert.deepEqual([favicon, details!.probed!.favicon.url], [`${A}/j.png`, `${A}/j.png`]);
    assert.deepEqual(site.listObjects(), [`${A}/i.svg`, `${A}/i.png`, `${A}/j.png`]);
    assert.equal((await describeSite(site)).favicon, `${A}/i.svg`, 'without probe');
  });

  it('falls back to the next image', async () => {
    const { image: found } = await probe(
      '<meta property=og:image content=a.png><meta name=twitter:image content=b.png>',
      { [`${A}/b.png`]: image(png(600, 315)) },
    );
    assert.deepEqual([found?.url, found?.width], [`${A}/b.png`, 600]);
  });

  it('has the image that exists as details.image, and leaves og.image as declared', async () => {
    const site = serveSite({
      [`${A}/`]: page(
        '<meta property=og:image content=a.png><meta property=og:image:alt content=A><meta name=twitter:image content=b.png><meta name=twitter:image:alt content=B>',
      ),
      [`${A}/b.png`]: image(png(600, 315)),
    });
    const { og, details } = await describeSite(site, { probe: true });
    assert.equal(og.image, `${A}/a.png`);
    assert.deepEqual(details!.image, { url: `${A}/b.png`, width: null, height: null, alt: 'B' });
    assert.deepEqual(
      details!.images.map(({ url }) => url),
      [`${A}/a.png`, `${A}/b.png`],
    );
    assert.equal((await describeSite(site)).details!.image?.url, `${A}/a.png`, 'without probe');
    const broken = serveSite({ [`${A}/`]: page('<meta property=og:image content=a.png>') });
    assert.equal((await describeSite(broken, { probe: true })).details!.image?.url, `${A}/a.png`);
  });

  it('keeps the best candidate, with exists: false, if none is an image', async () => {
    const { favicon, image: found } = await probe(
      '<link rel=icon href=i.png><meta property=og:image content=c.png>',
      { [`${A}/i.png`]: { error: 'unreachable' } },
    );
    assert.deepEqual(favicon, { url: `${A}/i.png`, exists: false, type: null, width: null, height: null });
    assert.deepEqual([found?.url, found?.exists], [`${A}/c.png`, false]);
  });

  it('tells «not checked» from «does not exist»', async () => {
    for (const error of ['timeout', 'overloaded', 'rate_limit_exceeded'] as const) {
      const { favicon, image: found } = await probe('<link rel=icon href=i.png>', {
        [`${A}/i.png`]: { error },
      });
      assert.deepEqual([favicon.exists, found], [null, null], error);
    }
  });

  it('sends at most four requests for the favicon, the last for /favicon.ico, and four for the image', async () => {
    const many = (tag: (n: number) => string) => Array.from({ length: 50 }, (_, n) => tag(n)).join('');
    const { requested } = await probe(
      many((n) => `<link rel=icon href=${n}.png>`) + many((n) => `<meta property=og:image content=${n}.jpg>`),
      {},
    );
    const icons = requested.filter((url) => !url.endsWith('.jpg'));
    assert.deepEqual(icons, [`${A}/0.png`, `${A}/1.png`, `${A}/2.png`, `${A}/favicon.ico`]);
    assert.equal(requested.length, 8);
  });

  it('measures data: icons without a request, before /favicon.ico', async () => {
    const base64 = `data:image/png;base64,${png(64, 64).toString('base64')}`;
    const encoded = `data:image/svg+xml,${encodeURIComponent(svg('viewBox="0 0 7 7"').toString())}`;
    for (const [url, width] of [
      [base64, 64],
      [encoded, 7],
    ] as const) {
      const { favicon, requested } = await probe(`<link rel=icon href="${url}">`, {});
      assert.deepEqual([favicon.exists, favicon.width, requested], [true, width, []]);
    }
    const broken = await probe('<link rel=icon href="data:image/png,%00%zz">', {
      [`${A}/favicon.ico`]: image(ico(32)),
    });
    assert.equal(broken.favicon.url, `${A}/favicon.ico`);
  });

  it('reads no more than it needs: the first kilobytes of an image, 128 KiB of what is none', async () => {
    const counts: Record<string, number> = {};
    const site = serveSite({
      [`${A}/`]: page('<link rel=icon href=i.png><meta property=og:image content=x>'),
      [`${A}/i.png`]: image(Buffer.concat([png(9, 9), Buffer.alloc(900_000)])),
      [`${A}/x`]: image(Buffer.alloc(900_000)),
    });
    await describeSite(
      {
        fetchPage: (request, reader, signal) =>
          site.fetchPage(
            request,
            {
              start: (head) => reader.start(head),
              write(chunk) {
                counts[request.url.pathname] = (counts[request.url.pathname] ?? 0) + chunk.length;
                return reader.write(chunk);
              },
            },
            signal,
          ),
      },
      { probe: true },
    );
    assert.deepEqual(counts, { '/': counts['/'], '/i.png': 1_000, '/x': 132_000 });
  });

  it('asks for images, with few redirects, and sends no credentials', async () => {
    const site = serveSite({ [`${A}/`]: page('<link rel=icon href="//user:secret@a.example/i.png">') });
    await describeSite(site, { probe: true });
    const [, object] = site.requests;
    assert.equal(object!.url.href, `${A}/i.png`);
    assert.deepEqual([object!.accept, object!.maxRedirects], ['image/*,*/*;q=0.5', 3]);
    assert.ok(object!.timeoutMs < 10_000);
  });

  it('checks nothing without it, and nothing that the page does not declare', async () => {
    const site = serveSite({ [`${A}/`]: page('<link rel=icon href=i.png>') });
    assert.equal((await describeSite(site)).details!.probed, null);
    assert.deepEqual(site.listObjects(), []);
    const { image: found } = await probe('', {});
    assert.equal(found, null);
  });

  it('is part of the cache key, and a result with something left out is not cached', async () => {
    const files: Record<string, ServedFile> = {
      [`${A}/`]: { ...page('<link rel=icon href=i.png>'), headers: { 'cache-control': 'max-age=60' } },
      [`${A}/i.png`]: { error: 'timeout' },
    };
    const site = serveSite(files);
    const cache = openMetadataCache({ maxEntries: 9, ttlSeconds: 60, now: () => 0 });
    const describePage = async (probes: boolean) => {
      const request = {
        url: `${A}/`,
        followRedirects: true,
        timeoutMs: 9_000,
        details: true,
        probe: probes,
        maxAgeSeconds: 60,
      };
      const deps = { fetchPage: site.fetchPage, client: 'a', now: () => 0, cache };
      return (await getMetadata(request, deps)).details!.probed?.favicon.exists;
    };
    assert.deepEqual([await describePage(false), await describePage(true)], [undefined, null]);
    files[`${A}/i.png`] = image(png(32, 32));
    assert.equal(await describePage(true), true);
    files[`${A}/i.png`] = { status: 404 };
    assert.equal(await describePage(true), true, 'from the cache');
  });
});
