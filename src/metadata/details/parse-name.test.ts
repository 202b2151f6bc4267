import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { parseName } from './parse-name.ts';

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
    '@ines': '@ines',
    'AC/DC': 'AC/DC',
    'Ines Walker / Courier': 'Ines Walker / Courier',
    '山田 太郎': '山田 太郎',
  };
  for (const [text, name] of Object.entries(names)) assert.equal(parseName(text), name, text);
});

it('names: null for URLs, paths, email addresses, long texts and what templates leave empty', () => {
  for (const text of [
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
    assert.equal(parseName(text), null, text);
});

it('names: a hostile text costs no time', () => {
  for (const text of ['<', '<a', '@', 'a.', '(', 'a@a ('])
    assert.ok(
      isFasterThan(20, () => parseName(text.repeat(1_900 / text.length))),
      text,
    );
});
