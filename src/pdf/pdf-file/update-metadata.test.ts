import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addEntry, parseTextString, setTextString } from './update-metadata.ts';

describe('a text string of a PDF', () => {
  it('is parsed with its escapes: a character, or the three digits of an octal code', () => {
    for (const [source, text] of [
      ['plain', 'plain'],
      [String.raw`a\(b\)c\\d`, String.raw`a(b)c\d`],
      [String.raw`\101\102C`, 'ABC'],
      [String.raw`\0501\051`, '(1)'],
      [String.raw`\8\9`, '89'],
      ['', ''],
    ] as const)
      assert.equal(parseTextString(`<</Title (${source}) /Lang (x)>>`, 'Title'), text, source);
  });

  it('is parsed from UTF-16 in hexadecimal', () => {
    assert.equal(parseTextString('<</Title <FEFF0041D83DDE00>>>', 'Title'), 'A😀');
    assert.equal(parseTextString('<</Title <FEFF>>>', 'Title'), '');
  });

  it('is null without its key', () => {
    assert.equal(parseTextString('<</Author (x)>>', 'Title'), null);
  });

  it('that is set replaces the one before, and is parsed as it was set', () => {
    for (const before of [
      '<</Title (a\\)b)\n/Lang (x)>>',
      '<</Title <FEFF0041>\n/Lang (x)>>',
      '<</Lang (x)>>',
    ])
      for (const text of ['$& $1', 'ä(😀', '']) {
        const after = setTextString(before, 'Title', text);
        assert.equal(parseTextString(after, 'Title'), text);
        assert.equal(parseTextString(after, 'Lang'), 'x');
        assert.equal(after.split('/Title').length, 2);
      }
  });

  it('in an entry is no replacement pattern', () => {
    assert.equal(addEntry('<</B 1>>', '/A ($&)'), '<</A ($&)\n/B 1>>');
  });
});
