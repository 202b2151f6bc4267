import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { parseAuthorName, parseName } from './authors.ts';

it('names: the text, without markup, a By before it or an address around it', () => {
  const names: Record<string, string> = {
    '  Ines \n Walker ': 'Ines Walker',
    'By Ines Walker': 'Ines Walker',
    'by: Émile Ó Briain': 'Émile Ó Briain',
    'By the Sea Press': 'By the Sea Press',
    'Byron Katie': 'Byron Katie',
    '<a href="/ines" rel="author">Ines Walker</a>': 'Ines Walker',
    'ines@courier.example (Ines Walker)': 'Ines Walker',
    'Ines Walker <ines@courier.example>': 'Ines Walker',
    'Walker &amp; Sons': 'Walker & Sons',
    'Courier.example': 'Courier.example',
    'AC/DC': 'AC/DC',
    'Ines Walker / Courier': 'Ines Walker / Courier',
    '山田 太郎': '山田 太郎',
  };
  for (const [text, name] of Object.entries(names)) assert.equal(parseAuthorName(text), name, text);
});

it('names: a publisher may begin with By, or be a host', () => {
  for (const name of ['By Malene Birger', 'www.spiegel.de', 'Courier.example'])
    assert.equal(parseName(name), name);
  for (const text of ['https://courier.example', 'courier.example/', 'ines@courier.example', 'null', '<br>'])
    assert.equal(parseName(text), null, text);
});

it('names: null for URLs, paths, email addresses, long texts and what templates leave empty', () => {
  for (const text of [
    '@ines',
    'https://www.facebook.com/ines',
    'HTTP://courier.example/Ines Walker',
    '//courier.example/ines',
    'www.courier.example',
    'facebook.com/ines',
    '/author/ines',
    '#ines',
    'mailto:ines@courier.example',
    'javascript:alert(1)',
    'urn:uuid:1234',
    'ines@courier.example',
    '',
    ' ',
    'null',
    'undefined',
    '[object Object]',
    'N/A',
    '<br>',
    'a'.repeat(201),
    `Ines Walker${'<br>'.repeat(600)}`,
  ])
    assert.equal(parseAuthorName(text), null, text);
});

it('names: a hostile text costs no time', () => {
  for (const text of ['<', '<a', '@', 'a.', '(', 'a@a ('])
    assert.ok(
      isFasterThan(20, () => parseAuthorName(text.repeat(1_900 / text.length))),
      text,
    );
});
