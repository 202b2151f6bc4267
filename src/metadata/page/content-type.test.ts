import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPageKind, parseContentType } from './content-type.ts';

describe('a Content-Type', () => {
  const read = (header: string) => {
    const type = parseContentType(header);
    return type === null ? null : [type.essence, type.charset];
  };

  it('is a media type in any case, with a charset by any name of it', () => {
    assert.deepEqual(read('TEXT/HTML;Charset="UTF8"'), ['text/html', 'utf-8']);
    assert.deepEqual(read(' text/html ; charset=koi8-r; charset=utf-8'), ['text/html', 'koi8-r']);
    assert.deepEqual(read('text/html; title="a;charset=koi8-r, b/c"; charset=big5'), ['text/html', 'big5']);
    assert.deepEqual(read(`text/html; x=${'y'.repeat(5000)}; charset=koi8-r`), ['text/html', 'koi8-r']);
    assert.deepEqual(read('text/html; charset=bogus'), ['text/html', null]);
    for (const none of ['', ';;;===', 'text', 'text/', 'text/html charset=utf-8', 'te xt/html'])
      assert.equal(read(none), null, none);
  });

  it('of several the last counts, with the charset of one like it before', () => {
    assert.deepEqual(read('text/plain, text/html'), ['text/html', null]);
    assert.deepEqual(read('text/html; charset=koi8-r, text/html'), ['text/html', 'koi8-r']);
    assert.deepEqual(read('text/html; charset=koi8-r, text/plain, text/html'), ['text/html', null]);
    assert.deepEqual(read('text/html, */*, nonsense'), ['text/html', null]);
    assert.deepEqual(read('text/html;charset="a,b"; charset=koi8-r'), ['text/html', 'koi8-r']);
  });

  it('that says nothing leaves it to the first bytes', () => {
    for (const header of [undefined, '', ' ', '*/*', 'unknown/unknown', 'Application/Unknown'])
      assert.equal(findPageKind(header), 'unknown', String(header));
    assert.equal(findPageKind('application/octet-stream'), 'other');
    assert.equal(findPageKind(';;;==='), 'other');
  });

  it('full of quotes is read in linear time', () => {
    const startedAt = performance.now();
    for (const filler of ['"', '"\\', '\\"', ',"', ';"', ';charset="', 'a/b,'])
      read(`text/html;${filler.repeat(30_000 / filler.length)}`);
    assert.ok(performance.now() - startedAt < 1000);
  });
});
