import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { createQueryReader, decode } from './query.ts';

const read = createQueryReader(
  {
    properties: {
      email: { type: 'string' },
      check_mx: { type: 'boolean', default: true },
      timeout: { type: 'integer', default: 10_000, minimum: 1000, maximum: 30_000 },
    },
  },
  {
    first: {
      name: 'email',
      check: (value) => {
        if (!value) throw new ApiError('invalid_email');
      },
    },
    unknownHint: 'Encode it.',
  },
);

function refusal(target: string): [code: string, param: string | undefined] {
  try {
    read(target);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return [error.code, error.param];
  }
  throw new Error(`${target} was accepted`);
}

describe('a query', () => {
  it('is decoded as RFC 3986: a plus sign stays one', () => {
    assert.equal(read('/p?email=ann+news@example.com').email, 'ann+news@example.com');
    assert.equal(read('/p?email=ann%2Bnews%40example.com').email, 'ann+news@example.com');
    assert.equal(read('/p?email=a%20b').email, 'a b');
  });

  it('takes raw UTF-8 bytes as they were sent', () => {
    assert.equal(read(`/p?email=${Buffer.from('jörg@x.de').toString('latin1')}`).email, 'jörg@x.de');
    assert.equal(decode('\u00ff'), null);
  });

  it('fills in defaults, and reads booleans in any case and as 1 and 0', () => {
    assert.deepEqual(read('/p?email=a'), { email: 'a', check_mx: true, timeout: 10_000 });
    for (const text of ['false', 'FALSE', '0'])
      assert.equal(read(`/p?email=a&check_mx=${text}`).check_mx, false);
  });

  it('ignores empty parts, and takes everything behind the first = as the value', () => {
    assert.equal(read('/p?&email=a=b&&').email, 'a=b');
  });

  it('names the field at fault', () => {
    assert.deepEqual(refusal('/p?email=a&check_mx=yes'), ['invalid_parameter', 'check_mx']);
    assert.deepEqual(refusal('/p?email=a&check_mx'), ['invalid_parameter', 'check_mx']);
    for (const text of ['999', '30001', '1e4', '-5000', '10000.5', '', '0x1000', '%2010000'])
      assert.deepEqual(refusal(`/p?email=a&timeout=${text}`), ['invalid_parameter', 'timeout']);
    assert.deepEqual(refusal('/p?email=a&email=b'), ['invalid_parameter', 'email']);
    assert.deepEqual(refusal('/p?email=a&Email=b'), ['invalid_parameter', 'Email']);
    assert.deepEqual(refusal('/p?email=a&__proto__=b'), ['invalid_parameter', '__proto__']);
    assert.deepEqual(refusal('/p?email=%ZZ%'), ['invalid_parameter', 'email']);
    assert.deepEqual(refusal('/p?email=%ff'), ['invalid_parameter', 'email']);
  });

  it('tells the contract’s own fault first', () => {
    assert.deepEqual(refusal('/p?bogus=1')[0], 'invalid_email');
    assert.deepEqual(refusal('/p?email=&email=b&check_mx=x')[0], 'invalid_email');
    assert.deepEqual(refusal('/p?email[$ne]=1')[0], 'invalid_email');
  });

  it('never puts a caller’s control characters or a long name into a message', () => {
    assert.throws(
      () => read(`/p?email=a&x%0Ay${'z'.repeat(500)}=1`),
      (error: ApiError) => !error.message.includes('\n') && error.message.length < 300,
    );
  });
});
