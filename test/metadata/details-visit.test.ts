/** The details of a fetch: a redirect that was not followed, a page that was not read to its end. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeSite, serveSite, type ServedFile } from './served-site.ts';

const PAGE = '<!doctype html><title>Here</title></head><body>';

describe('details.location', () => {
  const find = async (file: ServedFile, followRedirects = false) => {
    const site = serveSite({ 'https://a.example/': file, 'https://a.example/next': { body: PAGE } });
    return (await describeSite(site, { followRedirects })).details!.location;
  };
  const redirect = (location: string, status = 302): ServedFile => ({ status, headers: { location } });

  it('is the absolute URL of a redirect that was not followed', async () => {
    for (const status of [301, 302, 303, 307, 308])
      assert.equal(await find(redirect('next?a=b#c', status)), 'https://a.example/next?a=b#c');
    assert.equal(await find(redirect('//b.example')), 'https://b.example/');
    assert.equal(await find(redirect('/caf\u00c3\u00a9')), 'https://a.example/caf%C3%A9', 'raw UTF-8');
  });

  it('is null for a Location that is no redirect, or that no visitor could follow', async () => {
    for (const status of [200, 201, 300, 304]) assert.equal(await find(redirect('/next', status)), null);
    for (const location of [
      '',
      'http://[',
      'javascript:alert(1)',
      'ftp://a.example/',
      'http://u:p@a.example/',
    ])
      assert.equal(await find(redirect(location)), null, location);
  });

  it('is the target of a refresh that would be a redirect, of the header or of a meta', async () => {
    const meta = (content: string) => `<meta http-equiv=refresh content="${content}">${PAGE}`;
    assert.equal(await find({ body: PAGE, headers: { refresh: '0; url=/next' } }), 'https://a.example/next');
    assert.equal(await find({ body: meta('0; url=/next') }), 'https://a.example/next');
    assert.equal(await find({ body: meta('5; url=/next') }), null);
    assert.equal(await find({ body: `<meta property=og:title content=A>${meta('0; url=/next')}` }), null);
  });

  it('is null if redirects are followed', async () => {
    assert.equal(await find({ body: `<meta http-equiv=refresh content="0; url=/next">${PAGE}` }, true), null);
    assert.equal(await find({ body: PAGE }), null);
  });
});

describe('details.truncated', () => {
  const isTruncated = async (file: ServedFile) =>
    (await describeSite(serveSite({ 'https://a.example/': file }))).details!.truncated;

  it('is true at the deadline, at the cap and after a disconnect', async () => {
    for (const end of ['timeout', 'capped', 'cut'] as const)
      assert.equal(await isTruncated({ body: PAGE, end }), true, end);
  });

  it('is false for a page that was read to its end, and for a file of which no more was needed', async () => {
    assert.equal(await isTruncated({ body: PAGE }), false);
    const zeros = Buffer.alloc(20_000);
    assert.equal(await isTruncated({ body: zeros, type: 'application/octet-stream' }), false);
  });
});
