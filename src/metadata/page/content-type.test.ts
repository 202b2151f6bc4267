import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPageKind, parseContentType } from './content-type.ts';

describe('Content-Type', () => {
  const parse = (header: string) => {
    const type = parseContentType(header);
    return type === null ? null : [type.essence, type.charset];
  };

  it('parses a media type in any case, and the first known charset by any of its labels', () => {
    assert.deepEqual(parse('TEXT/HTML;Charset="UTF8"'), ['text/html', 'utf-8']);
    assert.deepEqual(parse(' text/html ; charset=koi8-r; charset=utf-8'), ['text/html', 'koi8-r']);
    assert.deepEqual(parse('text/html; title="a;charset=koi8-r, b/c"; charset=big5'), ['text/html', 'big5']);
    assert.deepEqual(parse(`text/html; x=${'y'.repeat(5000)}; charset=koi8-r`), ['text/html', 'koi8-r']);
    assert.deepEqual(parse('text/html; charset=bogus'), ['text/html', null]);
    for (const none of ['', ';;;===', 'text', 'text/', 'text/html charset=utf-8', 'te xt/html'])
      assert.equal(parse(none), null, none);
  });

  it('of several types the last counts, and may take its charset from the same type before it', () => {
    assert.deepEqual(parse('text/plain, text/html'), ['text/html', null]);
    assert.deepEqual(parse('text/html; charset=koi8-r, text/html'), ['text/html', 'koi8-r']);
    assert.deepEqual(parse('text/html; charset=koi8-r, text/plain, text/html'), ['text/html', null]);
    assert.deepEqual(parse('text/html, */*, nonsense'), ['text/html', null]);
    assert.deepEqual(parse('text/html;charset="a,b"; charset=koi8-r'), ['text/html', 'koi8-r']);
  });

  it('an absent or unspecific type leaves the decision to the first bytes', () => {
    for (const header of [undefined, '', ' ', '*/*', 'unknown/unknown', 'Application/Unknown'])
      assert.equal(findPageKind(header), 'unknown', String(header));
    assert.equal(findPageKind('application/octet-stream'), 'other');
    assert.equal(findPageKind(';;;==='), 'other');
  });
});
