import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeBytes, pageHead } from './describe-bytes.ts';

const PAGE = 'https://pages.example/a/b';

/** Returns the favicon of a page with these links, without the folder of the page. */
function findFavicon(links: string, headers: Record<string, string> = {}): string | null {
  const head = pageHead(PAGE, { 'content-type': 'text/html', ...headers });
  const { favicon } = describeBytes(Buffer.from(`<head><title>T</title>${links}</head><body>`), head);
  return favicon?.replace('https://pages.example/a/', '') ?? null;
}

/** The favicon of each head is `best`, in any order of its links. */
function assertBest(best: string, links: readonly string[]): void {
  assert.equal(findFavicon(links.join('')), best, links.join(' '));
  assert.equal(findFavicon(links.toReversed().join('')), best, links.toReversed().join(' '));
}

describe('the favicon', () => {
  it('is an SVG if there is one, by its type or else by the end of its path', () => {
    assertBest('i.svg', ['<link rel=icon sizes=192x192 href=i.png>', '<link rel=icon href=i.svg>']);
    assertBest('i.svg?v=2', ['<link rel=icon sizes=192x192 href=i.png>', '<link rel=icon href="i.svg?v=2">']);
    assertBest('i', ['<link rel=icon href=i.png>', '<link rel=icon type="image/svg+xml" href=i>']);
    assertBest('large.png', [
      '<link rel=icon sizes=32x32 href=large.png>',
      '<link rel=icon type="image/png" href=i.svg>',
    ]);
  });

  it('is not taken for an SVG because of sizes="any", which an .ico has too', () => {
    assertBest('i.png', ['<link rel=icon sizes=any href=i.ico>', '<link rel=icon sizes=32x32 href=i.png>']);
  });

  it('has at least 32 pixels if a larger one is declared, and at most 192 unless all have more', () => {
    const icon = (size: number) => `<link rel=icon sizes=${size}x${size} href=${size}.png>`;
    assertBest('32.png', [icon(16), icon(32)]);
    assertBest('192.png', [icon(32), icon(192), icon(512)]);
    assertBest('256.png', [icon(256), icon(512)]);
    assertBest('24.png', [icon(16), icon(24)]);
  });

  it('has the size of the largest in a list of sizes, and the shorter side counts', () => {
    assertBest('48.ico', [
      '<link rel=icon sizes=32x32 href=32.png>',
      '<link rel=icon sizes="16x16 48X48 32x32" href=48.ico>',
    ]);
    assertBest('32.png', [
      '<link rel=icon sizes=32x32 href=32.png>',
      '<link rel=icon sizes=180x20 href=wide.png>',
    ]);
  });

  it('is a favicon of unknown size before a touch icon, and a touch icon before one that is small', () => {
    const touch = '<link rel=apple-touch-icon href=touch.png>';
    assertBest('i.ico', [touch, '<link rel="shortcut icon" href=i.ico>']);
    assertBest('touch.png', [touch, '<link rel=icon sizes=16x16 href=16.png>']);
    assertBest('touch.png', [touch, '<link rel=apple-touch-icon-precomposed sizes=76x76 href=76.png>']);
    assertBest('fluid.png', [
      '<link rel=fluid-icon href=fluid.png>',
      '<link rel=icon sizes=16x16 href=16.png>',
    ]);
    assertBest('touch.png', [touch, '<link rel=fluid-icon href=fluid.png>']);
  });

  it('is never a mask-icon; icons for dark schemes come after the others, and data: icons after those', () => {
    const dark = '<link rel=icon media="(prefers-color-scheme: dark)" href=dark.svg>';
    const data = '<link rel=icon href="data:image/svg+xml,%3Csvg/%3E">';
    assertBest('https://pages.example/favicon.ico', ['<link rel=mask-icon href=m.svg>']);
    assertBest('16.png', [dark, data, '<link rel=icon sizes=16x16 href=16.png>']);
    assertBest('dark.svg', [dark, data]);
  });

  it('is the first of equal icons', () => {
    assert.equal(findFavicon('<link rel=icon href=1.png><link rel=icon href=2.png>'), '1.png');
    assert.equal(findFavicon('<link rel=icon sizes=0x0 href=1.png><link rel=icon href=2.png>'), '1.png');
  });

  it('is found in the Link header too, relative to the final URL, after equal icons of the page', () => {
    const link = '<h.png>; rel="icon"; sizes="64x64", </s.svg>; rel=preload';
    assert.equal(findFavicon('<base href="/c/">', { link }), 'h.png');
    assert.equal(findFavicon('<link rel=icon sizes=64x64 href=p.png>', { link }), 'p.png');
    assert.equal(findFavicon('<link rel=icon sizes=32x32 href=p.png>', { link }), 'h.png');
    const dark = '<d.svg>; rel=icon; media="(prefers-color-scheme: dark)"';
    assert.equal(findFavicon('<link rel=icon href=p.png>', { link: dark }), 'p.png');
    assert.equal(findFavicon('', { link: '<javascript:1>; rel=icon' }), 'https://pages.example/favicon.ico');
  });

  it('of what is not HTML is that of the Link header', () => {
    const head = pageHead(PAGE, { 'content-type': 'application/pdf', link: '</i.png>; rel=icon' });
    assert.equal(describeBytes(Buffer.from('%PDF-'), head).favicon, 'https://pages.example/i.png');
  });
});
