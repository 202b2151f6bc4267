import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Warnings, formatFailedRequest, formatScriptError, removeCredentials } from './warnings.ts';

void describe('Warnings', () => {
  void it('lists each sentence once, by kind, resources sorted and the others in their order', () => {
    const warnings = new Warnings();
    for (const text of ['b', 'a', 'b']) {
      warnings.add('layout', `layout ${text}`);
      warnings.add('script', `script ${text}`);
      warnings.add('resource', `resource ${text}`);
    }
    assert.deepEqual(warnings.list(), [
      'resource a',
      'resource b',
      'script b',
      'script a',
      'layout b',
      'layout a',
    ]);
  });

  void it('makes any text one line of at most 200 printable ASCII characters', () => {
    const warnings = new Warnings();
    warnings.add('script', 'a\r\nX-Evil: 1\u0000\u007f\u0085\u2028b \u202e€😀c\ud800');
    warnings.add('script', `é${'x'.repeat(300)}`);
    const [first, second] = warnings.list();
    assert.equal(first, 'a X-Evil: 1 b ?c?');
    assert.equal(second, `?${'x'.repeat(196)}...`);
  });

  void it('holds at most 100 of one kind', () => {
    const warnings = new Warnings();
    for (let number = 0; number < 1_000; number += 1) warnings.add('script', String(number));
    warnings.add('layout', 'wide');
    assert.equal(warnings.list().length, 101);
  });
});

void describe('formatFailedRequest', () => {
  const failure = 'was answered with status 404';

  void it('names the kind of the resource', () => {
    const url = 'https://site.example/a';
    for (const [type, name] of [
      ['Image', 'image'],
      ['Stylesheet', 'style sheet'],
      ['Font', 'font'],
      ['Script', 'script'],
      ['Document', 'frame'],
      ['Fetch', 'resource'],
      ['Other', 'resource'],
    ] as const)
      assert.equal(
        formatFailedRequest({ type, url, failure }),
        `The ${name} https://site.example/a was answered with status 404.`,
      );
  });

  void it('shortens a long URL in its middle, so that the sentence fits', () => {
    const url = `https://site.example/${'x'.repeat(4_000)}/logo.png`;
    const text = formatFailedRequest({ type: 'Image', url, failure });
    assert.ok(text.length <= 200 && text.length >= 198, String(text.length));
    assert.match(
      text,
      /^The image https:\/\/site\.example\/x+\.\.\.x+\/logo\.png was answered with status 404\.$/,
    );
  });
});

void describe('the message of a script error', () => {
  const format = (message: string) => formatScriptError({ message, file: '', line: 0 });

  void it('loses its beginning and end, and what is longer than 110 characters', () => {
    assert.equal(format('Uncaught Error: a. b.. \n.'), 'A script failed: Error: a. b.');
    assert.equal(format(`${'x'.repeat(110)}. `), `A script failed: ${'x'.repeat(110)}.`);
    assert.equal(format('x'.repeat(111)), `A script failed: ${'x'.repeat(110)}....`);
  });

  void it('is formatted in time proportional to its length, whatever it repeats', () => {
    for (const repeated of ['.', ' ', '/', '//', '//u:', '@', '//a@']) {
      const from = process.threadCpuUsage();
      format(`${repeated.repeat(1_000_000 / repeated.length)}x`);
      // A quadratic pattern takes minutes.
      const { user, system } = process.threadCpuUsage(from);
      assert.ok(user + system < 5_000_000, `${repeated}: ${user + system} µs`);
    }
  });
});

void describe('the password of a URL', () => {
  void it('is in no warning, however long it is', () => {
    for (const password of ['secret', 'secret'.repeat(100)]) {
      const url = `https://user:${password}@site.example/logo.png`;
      assert.equal(
        formatFailedRequest({ type: 'Image', url, failure: 'failed' }),
        'The image https://site.example/logo.png failed.',
      );
      assert.equal(
        formatScriptError({ message: `Uncaught TypeError: ${url}: no`, file: url, line: 3 }),
        'A script failed: TypeError: https://site.example/logo.png: no (https://site.example/logo.png, line 3).',
      );
    }
  });

  void it('is removed with the user name, in every form, and an @ elsewhere is not', () => {
    for (const [text, expected] of [
      ['https://u:p@a.example/ and ftp://u@b.example', 'https://a.example/ and ftp://b.example'],
      ['//u:p@a.example', '//a.example'],
      ['https:\\\\u:p@a.example', 'https:\\\\a.example'],
      ['http://u:p@q@a.example/', 'http://a.example/'],
    ] as const)
      assert.equal(removeCredentials(text), expected);
    for (const text of [
      'https://cdn.example/npm/@scope/x@1.0.js',
      'https://a.example/?to=b@c.example',
      'https://a.example#b@c',
      '// comment a@b',
    ])
      assert.equal(removeCredentials(text), text);
  });
});
