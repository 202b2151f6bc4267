import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findJsonLdText, parseJsonLd } from './json-ld.ts';

describe('structured data', () => {
  it('is parsed, out of the wrappings that old pages put it into', () => {
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

  it('is null when it is not JSON, or nested more than 32 deep', () => {
    for (const text of ['', '{', '{"a":1,}', 'a', `${'['.repeat(33)}${']'.repeat(33)}`])
      assert.equal(parseJsonLd(text), null, text);
    assert.notEqual(parseJsonLd(`${'['.repeat(32)}${']'.repeat(32)}`), null);
    assert.deepEqual(parseJsonLd(`{"a":"${'['.repeat(100)}"}`), { a: '['.repeat(100) });
  });

  it('has clean strings, and no way to a prototype', () => {
    const value = parseJsonLd('{"__proto__":{"evil":true},"a\\u0000":"b\\u001b\\ud800"}') as Record<
      string,
      unknown
    >;
    assert.equal(value['evil'], undefined);
    assert.equal(({} as Record<string, unknown>)['evil'], undefined);
    assert.equal(value['a'], 'b\uFFFD');
  });

  it('a text under a name is found through graphs, the nearest to the root first', () => {
    const blocks = [{ '@graph': [{ x: { datePublished: 'deep' } }, { datePublished: 'near' }] }];
    assert.equal(findJsonLdText(blocks, 'datePublished'), 'near');
    assert.equal(findJsonLdText(blocks, 'dateModified'), null);
    assert.equal(findJsonLdText([{ datePublished: 3 }, { datePublished: ' ' }], 'datePublished'), null);
  });
});
