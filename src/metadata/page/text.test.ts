import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeText, parseHttpUrl } from './text.ts';

describe('normalizeText', () => {
  it('decodes character references once, in attributes by the rules for attributes', () => {
    assert.equal(normalizeText('a &amp;lt; b &lt;i&gt; &eacute;&#233;&#xe9;', 'text'), 'a &lt; b <i> ééé');
    assert.equal(normalizeText('?a=1&copy=2&lt', 'attribute'), '?a=1&copy=2<');
    assert.equal(normalizeText('?a=1&copy=2&lt', 'text'), '?a=1©=2<');
    assert.equal(normalizeText('&#0;&#128;&#xD800;&#x110000;', 'text'), '\uFFFD€\uFFFD\uFFFD');
  });

  it('collapses and trims white space, and keeps other spaces inside', () => {
    assert.equal(normalizeText('\n a\t\r\n  b\f c ', 'text'), 'a b c');
    assert.equal(normalizeText('&nbsp;a&nbsp;b', 'text'), 'a\u00a0b');
    assert.equal(normalizeText(' &nbsp;\u3000 ', 'text'), null);
    assert.equal(normalizeText('', 'attribute'), null);
  });

  it('removes controls and collapses white space that were written as references', () => {
    assert.equal(normalizeText('a&#10;&#9;b&#1;c&#x9f;d', 'attribute'), 'a bc\u0178d');
    assert.equal(normalizeText('a\x85b\x1bc', 'text'), 'abc');
  });

  it('removes bidi controls and characters without width, also those written as references', () => {
    assert.equal(normalizeText('photo&#x202e;gnp.exe', 'text'), 'photognp.exe');
    assert.equal(normalizeText('Pay&ZeroWidthSpace;Pal&zwj; &#8203; .', 'attribute'), 'PayPal .');
    assert.equal(normalizeText('&#8203;&#8288;&rlm;', 'text'), null);
  });
});

describe('parseHttpUrl', () => {
  it('returns absolute http and https URLs of at most 8,192 characters', () => {
    const base = 'https://a.example/b/c?d';
    const cases: [value: string, url: string | null][] = [
      ['x', 'https://a.example/b/x'],
      [' /x\n', 'https://a.example/x'],
      ['//b.example', 'https://b.example/'],
      ['?q', 'https://a.example/b/c?q'],
      ['', null],
      ['  ', null],
      ['http://', null],
      ['http://exa mple/', null],
      ['JavaScript:alert(1)', null],
      ['data:image/png,', null],
      ['mailto:a@b', null],
      ['a'.repeat(8_193), null],
      ['é'.repeat(2_000), null],
    ];
    for (const [value, url] of cases) assert.equal(parseHttpUrl(value, base), url, value.slice(0, 40));
  });
});
