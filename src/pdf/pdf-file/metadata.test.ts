import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addEntry, parseTextString, renumberNodes, setTextString } from './metadata.ts';

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

function renumber(source: string): string {
  const pdf = Buffer.from(source, 'latin1');
  renumberNodes(pdf, 1);
  return pdf.toString('latin1');
}

it('identifiers of table headers count from 1, in their order', () => {
  assert.equal(
    renumber(
      '<</ID (node00000505)>> <</Headers [(node00000466) (node00000505)]>> /Names [(node00000466) 1 0 R\n(node00000505) 2 0 R]',
    ),
    '<</ID (node00000002)>> <</Headers [(node00000001) (node00000002)]>> /Names [(node00000001) 1 0 R\n(node00000002) 2 0 R]',
  );
});

it('an identifier counts wherever it is: first, last, and next to another', () => {
  assert.equal(renumber('(node00000007)(node00000009)'), '(node00000001)(node00000002)');
});

it('other strings stay as they are', () => {
  const source = '/ID (node5) (node00000505 (node0000050x) (node';
  assert.equal(renumber(source), source);
});

it('identifiers of a further document follow those of the one before', () => {
  const pdf = Buffer.from('(node00000007)(node00000009)');
  assert.equal(renumberNodes(pdf, 41), 43);
  assert.equal(pdf.toString(), '(node00000041)(node00000042)');
});
