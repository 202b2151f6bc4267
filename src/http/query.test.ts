import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { Type } from 'typebox';
import { createQueryParser, decode, refuseQuery } from './query.ts';
import { choice } from './schema.ts';

const parse = createQueryParser(
  Type.Object({
    email: Type.String(),
    check_mx: Type.Optional(Type.Boolean({ default: true })),
    timeout: Type.Optional(Type.Integer({ default: 10_000, minimum: 1000, maximum: 30_000 })),
  }),
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

function refusal(
  target: string,
  parseTarget: (target: string) => unknown = parse,
): [code: string, param: string | undefined] {
  try {
    parseTarget(target);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return [error.code, error.param];
  }
  throw new Error(`${target} was accepted`);
}

describe('a query', () => {
  it('is decoded by RFC 3986: a plus sign stays a plus sign', () => {
    assert.equal(parse('/p?email=ann+news@example.com').email, 'ann+news@example.com');
    assert.equal(parse('/p?email=ann%2Bnews%40example.com').email, 'ann+news@example.com');
    assert.equal(parse('/p?email=a%20b').email, 'a b');
  });

  it('may contain raw UTF-8 bytes', () => {
    assert.equal(parse(`/p?email=${Buffer.from('jörg@x.de').toString('latin1')}`).email, 'jörg@x.de');
    assert.equal(decode('\u00ff'), null);
  });

  it('has defaults; booleans may be in any case, or 1 and 0', () => {
    assert.deepEqual(parse('/p?email=a'), { email: 'a', check_mx: true, timeout: 10_000 });
    for (const text of ['false', 'FALSE', '0'])
      assert.equal(parse(`/p?email=a&check_mx=${text}`).check_mx, false);
  });

  it('may have the number 0 without a minimum', () => {
    const parseCount = createQueryParser(Type.Object({ count: Type.Integer() }), {});
    assert.equal(parseCount('/p?count=0').count, 0);
  });

  it('is refused by an operation that takes none, with the name if there is one', () => {
    assert.deepEqual(refusal('/p?a=b', refuseQuery), ['invalid_parameter', 'a']);
    assert.deepEqual(refusal('/p?=b', refuseQuery), ['invalid_parameter', undefined]);
  });

  it('may have empty parts; everything after the first = is the value', () => {
    assert.equal(parse('/p?&email=a=b&&').email, 'a=b');
  });

  it('is refused with the name of the parameter at fault', () => {
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

  it('is refused for its first parameter before all others', () => {
    assert.deepEqual(refusal('/p?bogus=1')[0], 'invalid_email');
    assert.deepEqual(refusal('/p?email=&email=b&check_mx=x')[0], 'invalid_email');
    assert.deepEqual(refusal('/p?email[$ne]=1')[0], 'invalid_email');
  });

  it('puts no control characters and no long name of the client into a message', () => {
    assert.throws(
      () => parse(`/p?email=a&x%0Ay${'z'.repeat(500)}=1`),
      (error: ApiError) => !error.message.includes('\n') && error.message.length < 300,
    );
  });

  it('of /account: choices, texts of a maximum length, integers; empty values are skipped', () => {
    const parseList = createQueryParser(
      Type.Object({
        query: Type.Optional(Type.String({ maxLength: 5 })),
        bucket: Type.Optional(Type.Union([Type.Literal('hour'), Type.Literal('day')])),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      }),
      { skipsEmpty: true },
    );
    assert.deepEqual(parseList('/p?bucket=day&query=a+b%20c'), { bucket: 'day', query: 'a+b c', limit: 50 });
    assert.deepEqual(parseList('/p?bucket=&limit=&query='), { limit: 50 });
    for (const [target, param] of [
      ['/p?bucket=week', 'bucket'],
      ['/p?query=abcdef', 'query'],
      ['/p?limit=201', 'limit'],
      ['/p?bucket=day&bucket=day', 'bucket'],
      ['/p?__proto__=a', '__proto__'],
      ['/p?query=%ff', 'query'],
    ] as const)
      assert.deepEqual(refusal(target, parseList), ['invalid_parameter', param], target);
  });

  it('has a space for + in the parameters that a route names, and only there', () => {
    const parseLanguages = createQueryParser(
      Type.Object({ url: Type.Optional(Type.String()), language: Type.Optional(Type.String()) }),
      { plusAsSpace: ['language'] },
    );
    assert.deepEqual(parseLanguages('/p?language=de-CH,+de;q=0.9&url=a+b'), {
      language: 'de-CH, de;q=0.9',
      url: 'a+b',
    });
    assert.equal(parseLanguages('/p?language=a%2Bb').language, 'a+b', 'an encoded plus sign is one');
  });

  it('has choices; true and false among them may be spelled as booleans are, no other one', () => {
    const parseChoices = createQueryParser(
      Type.Object({
        render: choice(['false', 'true', 'auto'], { default: 'false' }),
        agent: choice(['bot', 'browser'], { default: 'bot' }),
      }),
    );
    for (const [text, value] of [
      ['true', 'true'],
      ['TRUE', 'true'],
      ['1', 'true'],
      ['False', 'false'],
      ['0', 'false'],
      ['auto', 'auto'],
    ] as const)
      assert.equal(parseChoices(`/p?render=${text}`).render, value, text);
    for (const [name, text] of [
      ['render', 'Auto'],
      ['render', 'yes'],
      ['render', ''],
      ['render', 'null'],
      ['agent', 'BOT'],
      ['agent', '1'],
      ['agent', 'null'],
    ] as const)
      assert.deepEqual(refusal(`/p?${name}=${text}`, parseChoices), ['invalid_parameter', name], text);
  });

  it('without a required parameter is refused', () => {
    const parseKey = createQueryParser(Type.Object({ key: Type.String() }), { skipsEmpty: true });
    for (const target of ['/p', '/p?key='])
      assert.deepEqual(refusal(target, parseKey), ['invalid_parameter', 'key']);
    assert.deepEqual(parseKey('/p?key=a'), { key: 'a' });
  });
});
