import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeSite, serveSite, type ServedFile } from './served-site.ts';

const A = 'https://a.example';
const JSON_LINK = '<link rel=alternate type="application/json+oembed" href="/oembed.json">';
const XML_LINK = '<link rel=alternate type="text/xml+oembed" href="/oembed.xml">';
const VIDEO = { type: 'video', version: '1.0', html: '<iframe src="https://p.test/1"></iframe>' };

const json = (value: unknown): ServedFile => ({ body: JSON.stringify(value), type: 'application/json' });
const xml = (body: string, type = 'text/xml'): ServedFile => ({
  body: `<?xml version="1.0" encoding="utf-8"?>\n<!-- x --><oembed>${body}</oembed>`,
  type,
});

/** Describes a page with these links on a site with these files, with its oEmbed response. */
async function embed(links: string, files: Record<string, ServedFile>, url = `${A}/`) {
  const site = serveSite({ [url]: { body: `<head><title>T</title>${links}</head><body>` }, ...files });
  const { details } = await describeSite(site, { oembed: true, url });
  return { response: details!.oembedResponse, details: details!, requested: site.listObjects() };
}

describe('oembed=true', () => {
  it('returns the response that the page links to, with all of its members in their form', async () => {
    const { response, details } = await embed(JSON_LINK, {
      [`${A}/oembed.json`]: json({
        ...VIDEO,
        title: ' Fish &amp;\n chips ',
        author_name: 'Ann',
        author_url: 'https://p.test/ann',
        provider_name: 'P',
        provider_url: '//p.test/',
        thumbnail_url: 'https://p.test/1.jpg',
        thumbnail_width: 480,
        thumbnail_height: '360',
        width: 560.4,
        height: 315,
        cache_age: 60,
      }),
    });
    assert.deepEqual(response, {
      url: `${A}/oembed.json`,
      source: 'link',
      type: 'video',
      title: 'Fish & chips',
      authorName: 'Ann',
      authorUrl: 'https://p.test/ann',
      providerName: 'P',
      providerUrl: 'https://p.test/',
      thumbnailUrl: 'https://p.test/1.jpg',
      thumbnailWidth: 480,
      thumbnailHeight: 360,
      photoUrl: null,
      width: 560,
      height: 315,
      html: '<iframe src="https://p.test/1" sandbox="allow-scripts allow-popups" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>',
    });
    assert.deepEqual(details.oembed, [{ url: `${A}/oembed.json`, type: 'application/json+oembed' }]);
  });

  it('reads XML too, after JSON', async () => {
    const { response, requested } = await embed(XML_LINK + JSON_LINK, {
      [`${A}/oembed.xml`]: xml(
        '<type>rich</type><title><![CDATA[A & B]]></title><html>&lt;p&gt;Hi&lt;/p&gt;</html><width>9</width><x/>',
      ),
    });
    assert.deepEqual([response?.title, response?.html, response?.width], ['A & B', '<p>Hi</p>', 9]);
    assert.deepEqual(requested, [`${A}/oembed.json`, `${A}/oembed.xml`]);
  });

  it('expands no entities of XML, and takes no nested elements', async () => {
    const bomb = `<!DOCTYPE oembed [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><oembed><type>link</type><title>&a;&b;</title></oembed>`;
    const { response } = await embed(XML_LINK, { [`${A}/oembed.xml`]: { body: bomb, type: 'text/xml' } });
    assert.equal(response?.title, '&a;&b;');
    const nested = await embed(XML_LINK, {
      [`${A}/oembed.xml`]: xml('<type>link</type><a><title>x</title></a>'),
    });
    assert.equal(nested.response, null);
  });

  it('asks a known provider of the list first, whose own frames keep their origin', async () => {
    const url = 'https://www.youtube.com/watch?v=abc';
    const endpoint = `https://www.youtube.com/oembed?url=${encodeURIComponent(url)}&format=json`;
    const own = { ...VIDEO, html: '<iframe src="https://www.youtube.com/embed/abc"></iframe>' };
    const { response, requested } = await embed(JSON_LINK, { [endpoint]: json(own) }, url);
    assert.deepEqual([response?.source, response?.url, requested], ['list', endpoint, [endpoint]]);
    assert.match(response!.html!, /allow-same-origin/);
    const other = await embed(JSON_LINK, { [endpoint]: json(VIDEO) }, url);
    assert.doesNotMatch(other.response!.html!, /allow-same-origin/);
  });

  it('asks the page’s link if the known provider has no response', async () => {
    const url = 'https://vimeo.com/1';
    const files = { 'https://vimeo.com/oembed.json': json({ type: 'link' }) };
    const { response, requested } = await embed(JSON_LINK, files, url);
    assert.deepEqual([response?.source, requested.length], ['link', 2]);
  });

  it('is null for a response that is not valid', async () => {
    const bad: Record<string, ServedFile> = {
      'no JSON': { body: '{"type":"link"', type: 'application/json' },
      'a list': json([{ type: 'link' }]),
      'no type': json({ title: 'x' }),
      'an unknown type': json({ type: 'script' }),
      'a video without html': json({ type: 'video' }),
      'a video of a script alone': json({ type: 'video', html: '<script>alert(1)</script>' }),
      'html that is no text': json({ type: 'rich', html: ['<p>x</p>'] }),
      'a photo without a URL': json({ type: 'photo' }),
      'a photo that is no http(s) URL': json({ type: 'photo', url: 'javascript:alert(1)' }),
      'a relative photo': json({ type: 'photo', url: '/x.png' }),
      'an error': { ...json({ type: 'link' }), status: 404 },
      'an HTML page': { body: '<html><body>x' },
      'XML of another kind': { body: '<rss><type>link</type></rss>', type: 'text/xml' },
      'more than 100 KiB': json({ type: 'link', title: 'x'.repeat(110_000) }),
      'a refused address': { error: 'unreachable' },
      'no time': { error: 'timeout' },
    };
    for (const [name, file] of Object.entries(bad))
      assert.equal((await embed(JSON_LINK, { [`${A}/oembed.json`]: file })).response, null, name);
  });

  it('returns only http(s) URLs without credentials, numbers of pixels and texts', async () => {
    const { response } = await embed(JSON_LINK, {
      [`${A}/oembed.json`]: json({
        type: 'photo',
        url: 'https://p.test/x.png',
        html: '<p>not for photos</p>',
        title: { a: 1 },
        author_url: 'javascript:alert(1)',
        provider_url: 'https://user:pw@p.test/',
        thumbnail_url: 'data:image/png,x',
        thumbnail_width: -1,
        width: '100%',
        height: 1e300,
        __proto__: { x: 1 },
      }),
    });
    const { url: _url, source: _source, ...members } = response!;
    const found = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
    assert.deepEqual(found, { type: 'photo', photoUrl: 'https://p.test/x.png' });
  });

  it('sends at most three requests, with few redirects', async () => {
    const links = Array.from(
      { length: 20 },
      (_, n) => `<link rel=alternate type="application/json+oembed" href="/${n}">`,
    );
    const { requested } = await embed(links.join(''), {});
    assert.deepEqual(requested, [`${A}/0`, `${A}/1`, `${A}/2`]);
  });

  it('fetches nothing without it, and nothing if there is no link', async () => {
    const site = serveSite({ [`${A}/`]: { body: JSON_LINK } });
    assert.equal((await describeSite(site)).details!.oembedResponse, null);
    assert.deepEqual(site.listObjects(), []);
    assert.deepEqual((await embed('', {})).requested, []);
  });
});
