/** The `Refresh` header: a redirect, as `<meta http-equiv="refresh">` is. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FetchPage, getMetadata } from '#metadata';
import { pageHead } from './describe-bytes.ts';

interface Page {
  refresh?: string;
  type?: string;
  body: string;
}

/** Returns the title and the redirects of the first of these pages. */
async function follow(pages: Readonly<Record<string, Page>>, followRedirects = true) {
  const fetchPage: FetchPage = async ({ url, visit }, reader) => {
    const { refresh, type = 'text/html', body } = pages[url.pathname]!;
    const headers = { 'content-type': type, ...(refresh !== undefined && { refresh }) };
    const head = { ...pageHead(url.href, headers), redirects: visit?.redirects ?? [] };
    if (reader.start(head)) reader.write(Buffer.from(body));
    return { head, end: 'complete', visit: visit ?? { redirects: [], state: null } };
  };
  const url = `https://a.example${Object.keys(pages)[0]}`;
  const request = { url, followRedirects, timeoutMs: 1_000, details: true };
  const { title, details } = await getMetadata(request, { client: 'test', now: () => 0, fetchPage });
  return [title, details!.redirects.map((redirect) => new URL(redirect.url).pathname)];
}

const b = { body: '<title>B</title>' };

it('a Refresh header that acts at once is a redirect, relative to the final URL', async () => {
  const body = '<base href="/other/"><title>A</title>';
  assert.deepEqual(await follow({ '/x/a': { refresh: '0; url=b', body }, '/x/b': b }), ['B', ['/x/a']]);
  const path = Buffer.from('1;URL="/é"').toString('latin1');
  assert.deepEqual(await follow({ '/a': { refresh: path, body }, '/%C3%A9': b }), ['B', ['/a']]);
});

it('a Refresh header is a redirect of a page that is not HTML', async () => {
  const page = { refresh: '0;url=/b', type: 'text/plain', body: '' };
  assert.deepEqual(await follow({ '/a': page, '/b': b }), ['B', ['/a']]);
});

it('a Refresh header is ignored later, with an og:title, and without follow_redirects', async () => {
  const body = '<title>A</title>';
  assert.deepEqual(await follow({ '/a': { refresh: '5; url=/b', body }, '/b': b }), ['A', []]);
  assert.deepEqual(await follow({ '/a': { refresh: '0; url=javascript:b', body }, '/b': b }), ['A', []]);
  const card = `${body}<meta property=og:title content=A>`;
  assert.deepEqual(await follow({ '/a': { refresh: '0; url=/b', body: card }, '/b': b }), ['A', []]);
  assert.deepEqual(await follow({ '/a': { refresh: '0; url=/b', body }, '/b': b }, false), ['A', []]);
});

it('a Refresh header precedes a meta, unless it is no redirect', async () => {
  const body = '<title>A</title><meta http-equiv=refresh content="0; url=/c">';
  const pages = { '/b': b, '/c': { body: '<title>C</title>' } };
  assert.deepEqual(await follow({ '/a': { refresh: '0; url=/b', body }, ...pages }), ['B', ['/a']]);
  assert.deepEqual(await follow({ '/a': { refresh: '9', body }, ...pages }), ['C', ['/a']]);
});
