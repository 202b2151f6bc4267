import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageHead } from './fetch-page.ts';
import { MetadataReader } from './metadata-reader.ts';

const START = '<!doctype html><title>A title</title><body>';
/** A page that is described long before its end. */
const LONG = START + '<p>x'.repeat(300_000);

/** Returns whether reading goes on after a part of the page, for these headers of the response. */
function continuesAfter(part: string, headers: Record<string, string>): boolean {
  const reader = new MetadataReader({ details: false });
  const all = new Map(Object.entries({ 'content-type': 'text/html', ...headers }));
  const head = { status: 200, headers: all, redirects: [], url: 'https://site.example/' };
  assert.equal(reader.start(head as unknown as PageHead), true);
  return reader.write(Buffer.from(part));
}

describe('the reader of a page', () => {
  it('reads no body of another type', () => {
    const reader = new MetadataReader({ details: false });
    const headers = new Map([['content-type', 'image/png']]);
    assert.equal(reader.start({ status: 200, headers, redirects: [] } as unknown as PageHead), false);
    assert.equal(reader.write(Buffer.from(START)), false);
  });

  it('continues until the page is described, and to the end of a body that has arrived', () => {
    assert.equal(continuesAfter(START, {}), true);
    assert.equal(continuesAfter(LONG, {}), false);
    assert.equal(continuesAfter(LONG, { 'content-length': String(LONG.length + 1) }), false);
    assert.equal(continuesAfter(LONG, { 'content-length': String(LONG.length) }), true);
  });

  it('does not take the length of an encoded body for that of the page', () => {
    const headers = { 'content-length': String(LONG.length), 'content-encoding': 'gzip' };
    assert.equal(continuesAfter(LONG, headers), false);
  });

  it('counts a file as costly, which then waits for a turn of its own, and a small page as cheap', () => {
    const isCostly = (type: string, body: string) => {
      const reader = new MetadataReader({ details: true });
      const headers = new Map([['content-type', type]]);
      reader.start({ status: 200, headers, redirects: [] } as unknown as PageHead);
      reader.write(Buffer.from(body));
      return reader.isCostly;
    };
    assert.equal(isCostly('application/pdf', '%PDF-1.5'), true);
    assert.equal(isCostly('text/xml', '<rss><channel>'), true);
    assert.equal(isCostly('text/html; charset=utf-8', START), false);
  });
});
