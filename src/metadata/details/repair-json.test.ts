import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { repairJson } from './repair-json.ts';

const parse = (json: string): unknown => JSON.parse(repairJson(json));

describe('damaged JSON', () => {
  it('line breaks and tabs in strings are kept, and other controls are removed', () => {
    assert.deepEqual(parse('{"a":"one\r\n\ttwo\u0001"}'), { a: 'one\r\n\ttwo' });
  });

  it('a backslash before a character that needs none is removed, and a valid escape is kept', () => {
    assert.deepEqual(parse(String.raw`["it\'s","\"\\\/\b\f\n\r\t\u00e9","\x41","\u12","\\"]`), [
      "it's",
      '"\\/\b\f\n\r\té',
      'x41',
      'u12',
      '\\',
    ]);
    assert.deepEqual(parse('["a\\\nb"]'), ['a\nb']);
  });

  it('a comma after the last value is removed, with comments after it too', () => {
    assert.deepEqual(parse('{"a":[1,2 , ],"b":{"c":",]",\n}\t,}'), { a: [1, 2], b: { c: ',]' } });
    assert.deepEqual(parse('[1, // one\n /* two, */ ]'), [1]);
  });

  it('comments are removed, and text like comments in strings is kept', () => {
    assert.deepEqual(parse('{/* a */"a":"https://a/*b*/"// end\n,"b"/**/:1}'), { a: 'https://a/*b*/', b: 1 });
  });

  it('quotes that are written as character references are decoded', () => {
    assert.deepEqual(parse('{&quot;a&quot;:&quot;b &amp; c&quot;}'), { a: 'b & c' });
    assert.deepEqual(parse('[ &#34;a&#34;]'), ['a']);
  });

  it('valid JSON is not changed, and a fault with several meanings is not repaired', () => {
    const valid = '{"a":[1,{"b":"&quot;, // ]"}], "c" : "\\u0041"}';
    assert.equal(repairJson(valid), valid);
    for (const text of ['{"a":"say "b""}', '{"a":,"b":1}', '[1,,2]', '{a:1}', "{'a':1}", '{"a":1', '{"a":"b'])
      assert.throws(() => parse(text), text);
  });

  it('costs linear time', () => {
    for (const text of [
      ',',
      '1,,',
      '[1,],',
      '/*',
      '/**/',
      '//',
      '"\\',
      '\\x',
      '"\n',
      '\n',
      '", /**/',
      '&quot;',
    ])
      assert.ok(
        isFasterThan(100, () => repairJson(`{&quot;"${text.repeat(200_000 / text.length)}`)),
        text,
      );
  });
});
