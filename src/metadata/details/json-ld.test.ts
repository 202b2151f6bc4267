import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJsonLd, repairJson } from './json-ld.ts';
import { isFasterThan } from '../../../test/support/cpu-time.ts';

describe('JSON-LD', () => {
  it('is parsed without the comment and CDATA marks of old pages', () => {
    for (const text of [
      '{"a":1}',
      ' \n{"a":1};\n',
      '<!-- {"a":1} -->',
      '//<![CDATA[\n{"a":1}\n//]]>',
      '/*<![CDATA[*/{"a":1}/*]]>*/',
      '<![CDATA[{"a":1}]]>',
    ]) {
      assert.deepEqual(parseJsonLd(text), { a: 1 }, text);
    }
  });

  it('is repaired if templates have damaged it', () => {
    assert.deepEqual(parseJsonLd('{"a":"one\ntwo", "b":[1,], // c\n}'), { a: 'one\ntwo', b: [1] });
  });

  it('is null if it is not JSON, or nested more than 32 levels deep', () => {
    const deepObject = `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`;
    for (const text of ['', '{', '{"a":1', 'a', `${'['.repeat(33)}${']'.repeat(33)}`, deepObject])
      assert.equal(parseJsonLd(text), null, text);
    assert.notEqual(parseJsonLd(`${'['.repeat(32)}${']'.repeat(32)}`), null);
    assert.deepEqual(parseJsonLd(`{"a":"${'['.repeat(100)}"}`), { a: '['.repeat(100) });
  });

  it('has well-formed strings without controls, and sets no prototype', () => {
    const value = parseJsonLd('{"__proto__":{"evil":true},"a\\u0000":"b\\u001b\\ud800"}') as Record<
      string,
      unknown
    >;
    assert.equal(value['evil'], undefined);
    assert.equal(({} as Record<string, unknown>)['evil'], undefined);
    assert.equal(value['a'], 'b\uFFFD');
    for (const escape of ['\\b', '\\u0008', '\\u007F', '\\u009f', '\\u001B', '\x7f', '\x9f'])
      assert.deepEqual(parseJsonLd(`["a${escape}b"]`), ['ab'], escape);
    assert.deepEqual(parseJsonLd('{&quot;a&quot;:&quot;b&#127;&quot;}'), { a: 'b' });
    assert.deepEqual(parseJsonLd('["\\uDc00"]'), ['\uFFFD']);
    assert.deepEqual(parseJsonLd('["\\u000a\\t\\u00e9"]'), ['\n\té']);
  });
});

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
