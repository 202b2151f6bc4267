import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJsonLd } from './json-ld.ts';

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
