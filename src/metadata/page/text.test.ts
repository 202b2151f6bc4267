import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeText, parseHttpUrl, removeInvisible } from './text.ts';
import { isFasterThan } from '../../../test/support/cpu-time.ts';

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

describe('invisible characters', () => {
  it('are removed if they reorder text: embeddings, overrides and isolates', () => {
    assert.equal(removeInvisible('photo\u202egnp.exe'), 'photognp.exe');
    for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])
      assert.equal(removeInvisible(`שלום${String.fromCodePoint(code)}a`), 'שלוםa', code.toString(16));
  });

  it('are removed if they have no width: spaces, fillers, soft hyphens, invisible operators', () => {
    for (const code of [0xad, 0x115f, 0x1160, 0x200b, 0x2060, 0x2061, 0x2064, 0x206f, 0x3164, 0xfeff, 0xffa0])
      assert.equal(removeInvisible(`Pay${String.fromCodePoint(code)}Pal`), 'PayPal', code.toString(16));
    assert.equal(removeInvisible('\u200b\u2060\u3164'), '');
  });

  it('are removed if joiners join nothing', () => {
    for (const text of [
      'Pay\u200dPal',
      'Pay\u200cPal',
      'P\u200dа\u200cy',
      '漢\u200d字',
      '\u200dPay',
      'Pay \u200cPal',
    ])
      assert.equal(removeInvisible(text), text.replaceAll(/[\u200c\u200d]/g, ''));
    assert.equal(removeInvisible('می\u200c'), 'می');
  });

  it('are kept in emoji, Persian, Indic and Mongolian text, and ideographs', () => {
    for (const text of [
      '👩\u200d👩\u200d👧\u200d👦 family',
      '🏳\ufe0f\u200d🌈',
      '👩🏽\u200d🚀',
      '❤\ufe0f and 1\ufe0f\u20e3',
      'می\u200cخواهم',
      'क्\u200dष',
      'ර\u0dca\u200dය',
      'ರ\u200d್ಕ',
      'ᠨᠢᠭᠡ\u180eᠨ',
      '葛\u{e0100}城',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ])
      assert.equal(removeInvisible(text), text);
  });

  it('are kept if they change a letter: joiners at the end, non-joiners in Adlam and between digits', () => {
    for (const text of [
      'അവന്\u200d',
      'नर्\u200d',
      'ক্\u200d',
      'ه\u200d',
      '𞤢\u200c𞤣',
      '𞤀\u200c𞤁',
      '۱\u200c۲',
      '٣\u200cم',
    ])
      assert.equal(removeInvisible(text), text);
    for (const text of ['👩\u200d', 'a\u200d', 'മ\u200d', 'é\u200d', '1\u200c2'])
      assert.equal(removeInvisible(text), text.replace(/[\u200c\u200d]/, ''));
  });

  it('are kept if they are marks for punctuation in right-to-left text only', () => {
    assert.equal(removeInvisible('C\u200f\u200e\u061c#'), 'C#');
    for (const text of ['שלום C#\u200e!', 'مرحبا!\u061c 5\u200f']) assert.equal(removeInvisible(text), text);
  });

  it('cannot hide a message in variation selectors or tags', () => {
    const hide = (base: number) =>
      Array.from('attack')
        .map((one) => String.fromCodePoint(base + one.charCodeAt(0)))
        .join('');
    assert.equal(removeInvisible(`😀${hide(0xe0100)}`), `😀${hide(0xe0100).slice(0, 2)}`);
    assert.equal(removeInvisible(`Hello${hide(0xe0000)}`), 'Hello');
    assert.equal(removeInvisible(`🏴${hide(0xe0000).repeat(9)}`).length, 2 + 2 * 7);
  });

  it('cost linear time', () => {
    const text = `🏴${'\u{e0061}\u200b\ufe0f\u200d'.repeat(100_000)}`;
    assert.ok(isFasterThan(300, () => removeInvisible(text)));
  });
});
